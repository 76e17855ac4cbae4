// Package sendertest holds what every driver of a sender must do, as a test.
package sendertest

// Package selftest proves hookassay's judge: the reference sender with each defect fails the check that is named for it and none
// that the defect does not explain, every harmless variant of it and the correct sender fail nothing, and a silent one passes nothing. What
// judges our receiver is proven by a receiver with a defect, which must be found at fault where the sender is correct.
//
// What is found is a matrix of senders by checks, the kill matrix. Who plays the senders is handed in: package selftest knows
// neither processes nor virtual time.
package selftest

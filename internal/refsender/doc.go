// Package refsender is a correct webhook sender: the reference that every check must pass, and, with one switch, a sender
// with exactly one defect.
//
// An emit commits the business object, the event and its deliveries in one transaction and only then answers. Each delivery
// is a row that a timer wakes, an attempt claims, and a pure function (decide) decides about. What an API answer shows is
// always on disk.
//
// A change of an endpoint (its keys, its state) and the start of a request exclude one another, so that no request starts by
// what was changed once the change is answered. What is pending at a disabled endpoint is held until it is enabled or its
// deadline passes.
//
// A database belongs to one process at a time. Whatever that process had in flight when it was killed is taken up again by
// the process that opens the database next.
package refsender

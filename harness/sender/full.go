package sender

// Full is an instance with a method for every ability. Drivers that learn only at run time what their sender can do implement all of
// it, and Has tells which of the methods work: the others return an error.
type Full interface {
	Instance
	Replayer
	LogReader
	DeadLetterReader
	ObjectChanger
	KeyRotator
	KeyRevoker
	EndpointSwitch
	EndpointDeleter
	EndpointReader
	RangeReplayer
	RolledBackEmitter
}

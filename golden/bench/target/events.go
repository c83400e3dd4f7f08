package target

import "github.com/streamwright/streamwright/runtime/stream"

// Event is one thing a user did.
type Event struct {
	// ID is given by the client; the same on every redelivery.
	ID         stream.Str
	User       stream.Str
	Type       stream.Str
	Amount     float64
	At         int64 // ns since the Unix epoch
	typeNumber uint8 // which of its texts Type is
}

// Numbers of the texts of Type of Event.
const (
	eventTypeView uint8 = iota + 1
	eventTypeClick
	eventTypePurchase
	eventTypeSignup
)

package yahoo

import "github.com/streamwright/streamwright/golden/bench/events"

// campaigns is the table that the benchmark keeps in a database: the campaign of each advertisement.
var campaigns = events.Campaign()

// View is one view of an advertisement of a campaign.
type View struct {
	Campaign string `json:"campaign"`
}

// CampaignOf finds the campaign of an advertisement. One that no campaign has gives no row.
func CampaignOf(ad AdsRowView) ([]View, error) {
	campaign, ok := campaigns[ad.AdID]
	if !ok {
		return nil, nil
	}
	return []View{{campaign}}, nil
}

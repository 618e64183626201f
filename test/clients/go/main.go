// The story of test/clients/README.md, by the client of oapi-codegen.
package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"example.invalid/story/client"
)

const askedTimes = 240

func main() {
	if err := story(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func story(ctx context.Context) error {
	provider, country := os.Getenv("RASTRO_PROVIDER"), os.Getenv("RASTRO_COUNTRY")
	transport, err := strconv.ParseInt(os.Getenv("RASTRO_TRANSPORT"), 10, 64)
	if err != nil {
		return err
	}
	var id client.LongId
	if err := id.FromLongId0(transport); err != nil {
		return err
	}
	rtt, err := withToken(ctx, os.Getenv("RASTRO_URL"))
	if err != nil {
		return err
	}
	device, err := startedDevice(ctx, rtt, id, transport, country)
	if err != nil {
		return err
	}
	stored, err := storedItems(ctx, rtt, device, provider, country)
	if err != nil {
		return err
	}
	state, err := commandState(ctx, rtt, id, transport, provider, country)
	if err != nil {
		return err
	}
	refused, err := rtt.ShowDeviceWithResponse(ctx, "no-such-device", &client.ShowDeviceParams{CountryId: country})
	if err != nil {
		return err
	}
	if problem := refused.ApplicationproblemJSON404; problem == nil || problem.Code != "device_not_found" {
		return unexpected("the refusal", refused.Body)
	}
	fmt.Printf("story: %d stored, command %s\n", stored, state)
	return nil
}

func withToken(ctx context.Context, url string) (*client.ClientWithResponses, error) {
	basic := func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(os.Getenv("RASTRO_CLIENT_ID"), os.Getenv("RASTRO_CLIENT_SECRET"))
		return nil
	}
	asClient, err := client.NewClientWithResponses(url, client.WithRequestEditorFn(basic))
	if err != nil {
		return nil, err
	}
	token, err := asClient.IssueTokenWithResponse(ctx, client.TokenRequest{
		Audience: client.Rtt, GrantType: client.ClientCredentials,
	})
	if err != nil {
		return nil, err
	}
	if token.JSON200 == nil {
		return nil, unexpected("the token", token.Body)
	}
	return client.NewClientWithResponses(url, client.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token.JSON200.AccessToken)
			return nil
		}))
}

func startedDevice(
	ctx context.Context, rtt *client.ClientWithResponses, id client.LongId, transport int64, country string,
) (string, error) {
	kind := client.GPS
	registered, err := rtt.RegisterDeviceWithResponse(ctx, &client.RegisterDeviceParams{CountryId: country},
		client.RegisterDeviceBody{
			ExternalEntity: client.ExternalEntity{EntityId: fmt.Sprintf("go-%d", transport), EntityType: "story_truck"},
			Transport:      client.TransportReference{Id: id},
			DeviceSpecs:    &client.DeviceSpecs{DeviceType: &kind},
		})
	if err != nil {
		return "", err
	}
	if registered.JSON201 == nil {
		return "", unexpected("the registration", registered.Body)
	}
	started, err := rtt.StartDeviceTrackingWithResponse(ctx, registered.JSON201.Id,
		&client.StartDeviceTrackingParams{CountryId: country})
	if err != nil {
		return "", err
	}
	if started.JSON200 == nil {
		return "", unexpected("the start", started.Body)
	}
	return registered.JSON201.Id, nil
}

func storedItems(
	ctx context.Context, rtt *client.ClientWithResponses, device, provider, country string,
) (int64, error) {
	now := time.Now().Unix()
	accuracy := 5.0
	fix := func(seconds int64) client.LocationFix {
		return client.LocationFix{
			Timestamp: now - seconds, CountryId: country, Latitude: 40.7 + float64(seconds)/1e5,
			Longitude: -74, Accuracy: &accuracy,
		}
	}
	sent, err := rtt.SendLocationsWithResponse(ctx, provider, &client.SendLocationsParams{CountryId: country},
		client.LocationsBody{
			DeviceId: device, PostTimestamp: now, Locations: []client.LocationFix{fix(20), fix(10)},
		})
	if err != nil {
		return 0, err
	}
	if sent.JSON202 == nil {
		return 0, unexpected("the post", sent.Body)
	}
	ingest := sent.HTTPResponse.Header.Get("Ingest-Id")
	for range askedTimes {
		receipt, err := rtt.ShowIngestWithResponse(ctx, ingest, &client.ShowIngestParams{CountryId: country})
		if err != nil {
			return 0, err
		}
		if receipt.JSON200 != nil && receipt.JSON200.Settled {
			if receipt.JSON200.Outcomes.Stored != 2 {
				return 0, unexpected("the receipt", receipt.Body)
			}
			return receipt.JSON200.Outcomes.Stored, nil
		}
		time.Sleep(250 * time.Millisecond)
	}
	return 0, errors.New("the receipt did not come within a minute")
}

func commandState(
	ctx context.Context, rtt *client.ClientWithResponses, id client.LongId, transport int64,
	provider, country string,
) (string, error) {
	now := time.Now().UTC().Truncate(time.Second)
	var body client.ProviderCommandBody
	err := body.FromProcessTelemetryEventsCommand(client.ProcessTelemetryEventsCommand{
		Command:   client.ProcessTelemetryEvents,
		Id:        base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "go-%d", transport)),
		Transport: client.CommandTransport{Id: id, LicensePlate: "ABC1D23", CountryId: country},
		Travel:    client.TravelWindow{InitDate: now.Add(-time.Hour), EndDate: now},
	})
	if err != nil {
		return "", err
	}
	accepted, err := rtt.SendCommandWithResponse(ctx, provider, &client.SendCommandParams{CountryId: country}, body)
	if err != nil {
		return "", err
	}
	if accepted.JSON202 == nil {
		return "", unexpected("the command", accepted.Body)
	}
	for range askedTimes {
		result, err := rtt.ShowCommandWithResponse(ctx, provider, accepted.JSON202.CommandId,
			&client.ShowCommandParams{CountryId: country})
		if err != nil {
			return "", err
		}
		if result.JSON200 != nil && result.JSON200.DeferredAnswer != nil {
			if result.JSON200.State != client.CommandResourceStateDone {
				return "", unexpected("the result", result.Body)
			}
			return string(result.JSON200.State), nil
		}
		time.Sleep(250 * time.Millisecond)
	}
	return "", errors.New("the deferred answer did not come within a minute")
}

func unexpected(what string, body []byte) error {
	return fmt.Errorf("%s: %s", what, body)
}

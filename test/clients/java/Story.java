import client.ApiClient;
import client.ApiException;
import client.ApiResponse;
import client.api.CommandsApi;
import client.api.DevicesApi;
import client.api.LocationsApi;
import client.api.QueriesApi;
import client.api.TokensApi;
import client.model.AcceptedResponse;
import client.model.Audience;
import client.model.CommandResource;
import client.model.CommandTransport;
import client.model.DeviceResource;
import client.model.DeviceSpecs;
import client.model.DeviceType;
import client.model.ExternalEntity;
import client.model.IngestResource;
import client.model.LocationFix;
import client.model.LocationsBody;
import client.model.LongId;
import client.model.ProblemDetails;
import client.model.ProcessTelemetryEventsCommand;
import client.model.ProviderCommandBody;
import client.model.RegisterDeviceBody;
import client.model.TokenRequest;
import client.model.TransportReference;
import client.model.TravelWindow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;

/** The story of test/clients/README.md, by the Java client of openapi-generator. */
public final class Story {
    private static final int ASKED_TIMES = 240;

    private final String provider = System.getenv("RASTRO_PROVIDER");
    private final String country = System.getenv("RASTRO_COUNTRY");
    private final long transport = Long.parseLong(System.getenv("RASTRO_TRANSPORT"));
    private final long now = Instant.now().getEpochSecond();

    public static void main(String[] args) throws Exception {
        new Story().run();
    }

    private void run() throws Exception {
        ApiClient rtt = withToken(System.getenv("RASTRO_URL"));
        DevicesApi devices = new DevicesApi(rtt);
        DeviceResource device = devices.registerDevice(country, new RegisterDeviceBody()
            .externalEntity(new ExternalEntity().entityId("java-" + transport).entityType("story_truck"))
            .transport(new TransportReference().id(new LongId(transport)))
            .deviceSpecs(new DeviceSpecs().deviceType(DeviceType.GPS)), null);
        devices.startDeviceTracking(device.getId(), country, null);

        ApiResponse<AcceptedResponse> sent = new LocationsApi(rtt).sendLocationsWithHttpInfo(provider, country,
            new LocationsBody().deviceId(device.getId()).postTimestamp(now).locations(List.of(fix(20), fix(10))),
            null);
        String ingest = sent.getHeaders().get("ingest-id").get(0);
        QueriesApi queries = new QueriesApi(rtt);
        IngestResource receipt = until("The receipt", () -> {
            IngestResource seen = shown(() -> queries.showIngest(ingest, country, null));
            return seen != null && seen.getSettled() ? seen : null;
        });
        check("stored items", receipt.getOutcomes().getStored(), 2L);

        CommandsApi commands = new CommandsApi(rtt);
        String id = Base64.getEncoder().encodeToString(("java-" + transport).getBytes(StandardCharsets.UTF_8));
        String commandId = commands.sendCommand(provider, country, new ProviderCommandBody(
            new ProcessTelemetryEventsCommand()
                .command(ProcessTelemetryEventsCommand.CommandEnum.PROCESS_TELEMETRY_EVENTS)
                .id(id)
                .transport(new CommandTransport()
                    .id(new LongId(transport)).licensePlate("ABC1D23").countryId(country))
                .travel(new TravelWindow().initDate(at(now - 3600)).endDate(at(now)))), null, null, null)
            .getCommandId();
        CommandResource result = until("The deferred answer", () -> {
            CommandResource seen = shown(() -> commands.showCommand(provider, commandId, country, null));
            return seen != null && seen.getDeferredAnswer() != null ? seen : null;
        });
        check("state of the command", result.getState(), CommandResource.StateEnum.DONE);

        try {
            queries.showDevice("no-such-device", country, null);
            throw new IllegalStateException("a device that is none was shown");
        } catch (ApiException refusal) {
            check("code of a refusal", ProblemDetails.fromJson(refusal.getResponseBody()).getCode(), "device_not_found");
        }
        System.out.println("story: " + receipt.getOutcomes().getStored() + " stored, command "
            + result.getState().getValue());
        System.exit(0);
    }

    private static ApiClient withToken(String url) throws ApiException {
        ApiClient api = new ApiClient().setBasePath(url);
        api.setUsername(System.getenv("RASTRO_CLIENT_ID"));
        api.setPassword(System.getenv("RASTRO_CLIENT_SECRET"));
        api.setAccessToken(new TokensApi(api).issueToken(new TokenRequest()
            .audience(Audience.RTT).grantType(TokenRequest.GrantTypeEnum.CLIENT_CREDENTIALS)).getAccessToken());
        return api;
    }

    private LocationFix fix(long seconds) {
        return new LocationFix().timestamp(now - seconds).countryId(country)
            .latitude(40.7 + seconds / 1e5).longitude(-74.0).accuracy(5.0);
    }

    private static OffsetDateTime at(long seconds) {
        return Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC);
    }

    /** What a query shows; null while it is not known yet, or cannot be asked. */
    private static <T> T shown(Callable<T> query) throws Exception {
        try {
            return query.call();
        } catch (ApiException refusal) {
            if (refusal.getCode() == 404 || refusal.getCode() == 500) return null;
            throw refusal;
        }
    }

    private static <T> T until(String what, Callable<T> ask) throws Exception {
        for (int tries = 0; tries < ASKED_TIMES; tries += 1) {
            T answer = ask.call();
            if (answer != null) return answer;
            Thread.sleep(250);
        }
        throw new IllegalStateException(what + " did not come within a minute.");
    }

    private static void check(String what, Object seen, Object wanted) {
        if (!wanted.equals(seen)) throw new IllegalStateException(what + ": " + seen + ", not " + wanted);
    }
}

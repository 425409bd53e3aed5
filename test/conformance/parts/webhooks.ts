/** Rule I4.14: the endpoints of webhooks. What is delivered and how is in rule S1. */
import type { Row } from "../row.ts";
import { about, INSTANT, LISTENING, NEWEST, NOT_CUT, OLDER, TEXT, UUID } from "../words.ts";

const says = about("I4.14");

const ONE = "/webhooks/{webhook}";
const NOT_FOUND = { status: 404, problem: "not-found", body: { title: "Webhook not found" } };
const FIREHOSE = { url: "https://hooks.example/in", secret: "example-secret" };
/** Webhooks are alike in every version; the oldest and the newest stand for all. */
const BOTH = ["2024-10-01", "2023-04-01"];

export const WEBHOOK_ROWS: readonly Row[] = [
  says("A webhook is made", {
    request: { ...LISTENING, keep: {} },
    expect: {
      status: 200,
      exactly: {
        id: UUID,
        url: "https://hooks.example/in",
        events: ["*"],
        lastSuccess: INSTANT,
        isActive: true,
        createdAt: INSTANT,
        apiVersion: null,
        authentication: null,
      },
    },
  }),
  says("Webhooks are listed in pages", {
    versions: BOTH,
    given: [LISTENING],
    request: { ask: "GET /webhooks" },
    expect: { status: 200, body: { data: [{ id: "{webhook}" }], pagination: NOT_CUT } },
  }),
  says("One webhook is read by its id", {
    versions: BOTH,
    given: [LISTENING],
    request: { ask: `GET ${ONE}` },
    expect: { status: 200, body: { id: "{webhook}", isActive: true }, lacks: ["secret"] },
  }),
  says("A webhook is changed in part", {
    versions: BOTH,
    given: [LISTENING],
    request: { ask: `PATCH ${ONE}`, body: { events: ["user:battery:updated"] } },
    expect: { status: 200, body: { id: "{webhook}", url: FIREHOSE.url, events: ["user:battery:updated"] } },
    afterwards: [{ ask: `GET ${ONE}`, expect: { status: 200, body: { events: ["user:battery:updated"] } } }],
  }),
  says("A webhook is deleted with 204 and gone", {
    versions: BOTH,
    given: [LISTENING],
    request: { ask: `DELETE ${ONE}` },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: `GET ${ONE}`, expect: NOT_FOUND }],
  }),
  ...["GET /webhooks/{unknown}", "DELETE /webhooks/{unknown}", "POST /webhooks/{unknown}/test"].map((ask) =>
    says(`${ask} is not found`, { request: { ask }, expect: NOT_FOUND }),
  ),
  says("An unknown webhook cannot be changed", {
    request: { ask: "PATCH /webhooks/{unknown}", body: {} },
    expect: NOT_FOUND,
  }),
  says("A test sends a test event and tells what came of it", {
    versions: BOTH,
    given: [LISTENING],
    request: { ask: `POST ${ONE}/test` },
    expect: { status: 200, body: { status: "SUCCESS", description: TEXT, response: { code: 200 } } },
    afterwards: [{ told: { event: "service:webhook:test", createdAt: INSTANT, version: "2024-10-01" } }],
  }),
  says("A test that fails is answered with 200 and says so", {
    versions: BOTH,
    given: [LISTENING, { receiver: 500 }],
    request: { ask: `POST ${ONE}/test` },
    expect: { status: 200, body: { status: "FAILURE", response: { code: 500 } } },
  }),
  says("A test that succeeds makes a webhook healthy again", {
    versions: NEWEST,
    // Without devices that are read once a second a day passes soon.
    house: "sandbox",
    given: [
      LISTENING,
      { receiver: 500 },
      { ask: "POST /local/simulated/meter", body: { userId: "ann" }, keep: { made: "id" } },
      { ask: "DELETE /local/simulated/meter/{made}" },
    ],
    request: { ask: `GET ${ONE}`, after: 27 * 3_600 },
    expect: { status: 200, body: { isActive: false } },
    afterwards: [
      { receiver: 200 },
      { ask: `POST ${ONE}/test`, expect: { status: 200, body: { status: "SUCCESS" } } },
      { ask: `GET ${ONE}`, expect: { status: 200, body: { isActive: true } } },
    ],
  }),
  says("The single webhook of before is set with 204", {
    versions: OLDER,
    request: { ask: "PUT /webhooks/firehose", body: FIREHOSE },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /webhooks", expect: { status: 200, body: { data: [{ id: UUID, url: FIREHOSE.url }] } } }],
  }),
  says("The single webhook of before is tested", {
    versions: ["2024-01-01", "2023-04-01"],
    given: [{ ask: "PUT /webhooks/firehose", body: FIREHOSE }],
    request: { ask: "POST /webhooks/firehose/test" },
    expect: { status: 200, body: { status: "SUCCESS" } },
    afterwards: [{ told: { event: "service:firehose:test" } }],
  }),
  says("The single webhook of before is deleted with 204", {
    versions: ["2024-01-01", "2023-04-01"],
    given: [{ ask: "PUT /webhooks/firehose", body: FIREHOSE }],
    request: { ask: "DELETE /webhooks/firehose", body: { url: FIREHOSE.url } },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /webhooks", expect: { status: 200, exactly: { data: [], pagination: NOT_CUT } } }],
  }),
];

/** Rule S2.3: smart overrides. */
import { expect } from "vitest";
import type { Happening, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const row = says("S2.3");
const NO_OVERRIDE = { status: 404, problem: "not-found", body: { title: "No Smart Override Exists" } };

export const OVERRIDE_ROWS: readonly Row[] = (["vehicle", "charger"] as const).flatMap((kind) => {
  const base = kind === "vehicle" ? "/vehicles/{vehicle}" : "/chargers/{charger}";
  const path = `${base}/smart-override`;
  const unplugged: Happening = {
    device: kind,
    show: kind === "vehicle" ? { "vehicle.state": "UNPLUGGED" } : { "charger.state": "UNPLUGGED" },
    after: 5,
  };
  const older = { before: "2023-05-01" } as const;
  return [
    row(`An override of a ${kind} starts charging through an action`, {
      versions: { from: "2023-05-01" },
      request: { ask: `POST ${path}` },
      expect: {
        status: 200,
        body: {
          createdAt: expect.any(String),
          endedAt: null,
          targetType: kind,
          targetId: `{${kind}}`,
          vendorActionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          userId: "{user}",
          vendor: expect.any(String),
        },
      },
    }),
    row(`The ${kind} charges while it is overridden`, {
      versions: NEWEST,
      given: [{ ask: `POST ${path}` }],
      request: { ask: `GET ${base}`, after: 30 },
      expect: { status: 200, body: { chargeState: { isCharging: true } } },
    }),
    row(`The active override of a ${kind} is read`, {
      versions: ["2024-10-01", "2023-05-01"],
      given: [{ ask: `POST ${path}` }],
      request: { ask: `GET ${path}` },
      expect: { status: 200, body: { targetId: `{${kind}}`, endedAt: null } },
    }),
    row(`A second override of a ${kind} is the active one, unchanged`, {
      versions: NEWEST,
      given: [{ ask: `POST ${path}`, keep: { first: "createdAt", action: "vendorActionId" } }],
      request: { ask: `POST ${path}`, after: 20 },
      expect: { status: 200, body: { createdAt: "{first}", vendorActionId: "{action}" } },
    }),
    row(`An override of a ${kind} that charges already has no action`, {
      versions: NEWEST,
      given: [
        { ask: `POST ${base}/charging`, body: { action: "START" } },
        { ask: `GET ${base}`, after: 30 },
      ],
      request: { ask: `POST ${path}` },
      expect: { status: 200, body: { vendorActionId: null, endedAt: null } },
    }),
    row(`An override of a ${kind} is ended on request while charging goes on`, {
      versions: ["2024-10-01", "2023-05-01"],
      given: [{ ask: `POST ${path}` }],
      request: { ask: `DELETE ${path}`, after: 30 },
      expect: { status: 200, body: { targetId: `{${kind}}`, endedAt: expect.any(String) } },
      afterwards: [
        { ask: `GET ${base}`, after: 60, expect: { status: 200, body: { chargeState: { isCharging: true } } } },
        { ask: `GET ${path}`, expect: NO_OVERRIDE },
      ],
    }),
    row(`An override of a ${kind} ends when charging stops`, {
      versions: NEWEST,
      given: [{ ask: `POST ${path}` }, { ask: `GET ${path}`, after: 30 }, unplugged],
      request: { ask: `GET ${path}`, after: 10 },
      expect: NO_OVERRIDE,
    }),
    row(`An override of a ${kind} that is unplugged is refused`, {
      versions: ["2024-10-01", "2023-05-01"],
      given: [unplugged],
      request: { ask: `POST ${path}` },
      expect: { status: 400, problem: "bad-request" },
    }),
    row(`An override of a ${kind} whose start fails is over`, {
      versions: NEWEST,
      given: [{ device: kind, ignoresCommands: true }, { ask: `POST ${path}` }],
      request: { ask: `GET ${path}`, after: 330 },
      expect: NO_OVERRIDE,
    }),
    row(`There is no override of a ${kind} to read`, {
      versions: { from: "2023-05-01" },
      request: { ask: `GET ${path}` },
      expect: NO_OVERRIDE,
    }),
    row(`There is no override of a ${kind} to end`, {
      versions: { from: "2023-05-01" },
      request: { ask: `DELETE ${path}` },
      expect: NO_OVERRIDE,
    }),
    row(`An override of a ${kind} without the control scope is forbidden`, {
      versions: { from: "2023-05-01" },
      house: "readOnly",
      request: { ask: `POST ${path}` },
      expect: { status: 403, problem: "forbidden" },
    }),
    row(`An override of a ${kind} is an external start before 2023-05-01`, {
      versions: older,
      request: { ask: `POST ${base}/external-start` },
      expect: { status: 200, body: { targetId: `{${kind}}`, endedAt: null } },
      afterwards: [
        {
          ask: `DELETE ${base}/external-start`,
          expect: { status: 200, body: { targetId: `{${kind}}`, endedAt: expect.any(String) } },
        },
      ],
    }),
  ];
});

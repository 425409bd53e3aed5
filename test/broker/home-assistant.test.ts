import { describe, expect, it } from "vitest";
import { announcementOfAsset, announcementOfEnergy, announcementOfHem } from "../../src/broker/home-assistant.ts";
import { DeviceMessage } from "./home-assistant-rules.ts";
import { newAsset } from "./new-asset.ts";

const told = (kind: Parameters<typeof newAsset>[0]) => DeviceMessage.parse(announcementOfAsset(kind, newAsset(kind)));

describe("announcements", () => {
  it.each(["battery", "charger", "hvac", "inverter", "meter", "vehicle"] as const)("of a %s are taken", (kind) => {
    const message = told(kind);
    const id = newAsset(kind).id;
    expect(message.state_topic).toBe(`hemgate/${kind}/${id}`);
    expect(message.availability.map(({ topic }) => topic)).toEqual(["hemgate/status", `hemgate/${kind}/${id}`]);
  });

  it("of an inverter serve the energy dashboard", () => {
    expect(told("inverter").cmps).toMatchObject({
      power: { device_class: "power", unit_of_measurement: "kW", state_class: "measurement" },
      energy: { device_class: "energy", unit_of_measurement: "kWh", state_class: "total_increasing" },
    });
  });

  it("of a house serve the energy dashboard with grid, sun and batteries", () => {
    const system = { id: "6f1c2f5e-8c0a-4a53-9d6b-0d8e8f0c9a11", information: { name: "Home", vendor: "HEMGATE" } };
    const { cmps } = DeviceMessage.parse(announcementOfHem(system as never));
    expect(Object.keys(cmps)).toEqual(["generation", "consumption", "import", "export", "charge", "discharge"]);
    for (const part of Object.values(cmps)) {
      expect(part).toMatchObject({
        device_class: "energy",
        unit_of_measurement: "kWh",
        state_class: "total_increasing",
      });
    }
  });

  it("offer what the asset can be told, and nothing else", () => {
    const commands = (controls: "all" | "none") =>
      (["battery", "charger", "hvac", "vehicle"] as const).flatMap((kind) =>
        Object.values(DeviceMessage.parse(announcementOfAsset(kind, newAsset(kind, controls))).cmps).flatMap((part) =>
          Object.entries(part).flatMap(([key, topic]) =>
            key.endsWith("command_topic") ? [String(topic).split("/").slice(3).join("/")] : [],
          ),
        ),
      );
    expect(commands("none")).toEqual([]);
    expect(commands("all")).toEqual([
      "operationMode/set",
      "charging/set",
      "maxCurrent/set",
      "mode/set",
      "priority/set",
      "targetSoc/set",
      "targetEnergy/set",
      "targetTime/set",
      "mode/set",
      "setpoint/set",
      "heatSetpoint/set",
      "coolSetpoint/set",
      "charging/set",
      "maxCurrent/set",
      "mode/set",
      "priority/set",
      "targetSoc/set",
      "targetTime/set",
    ]);
  });

  it("of a charger and a vehicle have the energy manager's settings, with their state at its topic", () => {
    for (const kind of ["charger", "vehicle"] as const) {
      const { id } = newAsset(kind);
      const { energyMode, energyReason } = told(kind).cmps;
      expect(energyMode).toMatchObject({
        p: "select",
        options: ["NO_MODE", "OFF", "SURPLUS", "MIN_SURPLUS", "PLANNED", "FAST"],
        command_template: "{{ 'NONE' if value == 'NO_MODE' else value }}",
        state_topic: `hemgate/energy/${id}`,
        command_topic: `hemgate/energy/${id}/mode/set`,
      });
      expect(energyReason).toMatchObject({ p: "sensor", state_topic: `hemgate/energy/${id}` });
    }
  });

  it("of the energy manager show the flows and limits of the house, and set what may be set", () => {
    const message = DeviceMessage.parse(announcementOfEnergy(true));
    expect(message.state_topic).toBe("hemgate/energy/site");
    for (const key of ["grid", "house", "production", "battery", "chargers", "importLimit", "feedInLimit"]) {
      expect(message.cmps[key]).toMatchObject({ p: "sensor", device_class: "power", unit_of_measurement: "kW" });
    }
    const commands = Object.values(message.cmps).flatMap((part) => ("command_topic" in part ? part.command_topic : []));
    expect(commands.map((topic) => topic.split("/").at(-2))).toEqual([
      "importKw",
      "holdWhileFast",
      "priorityBelow",
      "supportAbove",
      "minSoc",
      "maxSoc",
    ]);
    for (const key of ["minSoc", "maxSoc"]) {
      expect(message.cmps[key]).toMatchObject({ p: "number", min: 0, max: 100, step: 1, unit_of_measurement: "%" });
    }
    const without = DeviceMessage.parse(announcementOfEnergy(false)).cmps;
    expect(Object.keys(without)).toEqual(Object.keys(message.cmps).filter((key) => !key.endsWith("Soc")));
  });
});

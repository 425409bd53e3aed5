/** Twins of devices with HTTP, by the profile that reads them. */

import type { Given } from "../adapters/http-json/http-world.ts";
import { GoETwin, OpenEvseTwin, PeblarTwin } from "../twins/http-devices/charger-twins.ts";
import { EnphaseTwin, envoyToken } from "../twins/http-devices/enphase-twin.ts";
import { FroniusTwin } from "../twins/http-devices/fronius-twin.ts";
import { HOMEWIZARD_TOKEN, HomeWizardTwin } from "../twins/http-devices/homewizard-twin.ts";
import type { HttpTwin } from "../twins/http-devices/http-twin.ts";
import { PikoTwin, PlenticoreTwin } from "../twins/http-devices/kostal-twin.ts";
import { PowerwallTwin } from "../twins/http-devices/powerwall-twin.ts";
import { ShellyGen1Twin, ShellyRpcTwin } from "../twins/http-devices/shelly-twin.ts";
import { SonnenTwin } from "../twins/http-devices/sonnen-twin.ts";
import { TasmotaTwin } from "../twins/http-devices/tasmota-twin.ts";

const token = envoyToken(2_000_000_000);

export const HTTP_DEVICES: readonly (readonly [Given, () => HttpTwin])[] = [
  [{ profile: "go-e-http" }, () => new GoETwin(2)],
  [{ profile: "go-e-v1" }, () => new GoETwin(1)],
  [{ profile: "peblar", token: "t0ken" }, () => new PeblarTwin("t0ken")],
  [{ profile: "openevse-http" }, () => new OpenEvseTwin()],
  [{ profile: "enphase-envoy", token }, () => new EnphaseTwin(token)],
  [{ profile: "enphase-envoy-legacy" }, () => new EnphaseTwin(null)],
  [{ profile: "fronius-solar-api" }, () => new FroniusTwin()],
  [{ profile: "fronius-ohmpilot" }, () => new FroniusTwin()],
  [{ profile: "homewizard-v1" }, () => new HomeWizardTwin(1)],
  [{ profile: "homewizard-v1-pv" }, () => new HomeWizardTwin(1)],
  [{ profile: "homewizard-v1-battery" }, () => new HomeWizardTwin(1, "battery")],
  [{ profile: "homewizard-v2", token: HOMEWIZARD_TOKEN }, () => new HomeWizardTwin(2)],
  [{ profile: "homewizard-v2-pv", token: HOMEWIZARD_TOKEN }, () => new HomeWizardTwin(2)],
  [{ profile: "homewizard-v2-battery", token: HOMEWIZARD_TOKEN }, () => new HomeWizardTwin(2, "battery")],
  [{ profile: "kostal-piko" }, () => new PikoTwin()],
  [{ profile: "kostal-plenticore", password: "pässword" }, () => new PlenticoreTwin("pässword")],
  [{ profile: "tesla-powerwall", password: "AB123" }, () => new PowerwallTwin("AB123")],
  [{ profile: "shelly-gen2-3em", password: "secret" }, () => new ShellyRpcTwin("triphase", "secret")],
  [{ profile: "shelly-gen2-em", settings: { channel: 1 } }, () => new ShellyRpcTwin("monophase")],
  [{ profile: "shelly-gen2-switch" }, () => new ShellyRpcTwin("switch")],
  [{ profile: "shelly-gen2-switch-pv" }, () => new ShellyRpcTwin("switch")],
  [{ profile: "shelly-3em", password: "secret" }, () => new ShellyGen1Twin("3em", "secret")],
  [{ profile: "shelly-em", settings: { channel: 1 } }, () => new ShellyGen1Twin("3em")],
  [{ profile: "shelly-gen1-relay" }, () => new ShellyGen1Twin("relay")],
  [{ profile: "shelly-gen1-relay-pv" }, () => new ShellyGen1Twin("relay")],
  [{ profile: "sonnen-v2", token: "t0ken" }, () => new SonnenTwin(2, "t0ken")],
  [{ profile: "sonnen-v1" }, () => new SonnenTwin(1)],
  [{ profile: "tasmota-http", password: "p&ss=word" }, () => new TasmotaTwin("two-channels", "p&ss=word")],
  [{ profile: "tasmota-http-pv" }, () => new TasmotaTwin("plug")],
  [{ profile: "tasmota-http-sml" }, () => new TasmotaTwin("reader")],
];

/** Fronius' Solar API 1: every answer carries a status of its own; at night the sun's power is null. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { HttpTwin, houseTruth, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

export class FroniusTwin extends HttpTwin {
  readonly house = houseTruth();
  isNight = false;
  hasBattery = true;
  /** Names of values as GEN24 has them in software of 2021. */
  hasOwnNames = false;
  /** Whether it has a Datamanager, which tells its software; GEN24 has none. */
  hasDatamanager = false;
  /** Whether the Solar API is switched on (GEN24). */
  isApiOn = true;

  protected override answer({ path, query }: TwinRequest): SimWebAnswer {
    if (!this.isApiOn) return NOT_FOUND;
    const name = path.replace("/solar_api/v1/", "");
    if (name === "GetPowerFlowRealtimeData.fcgi") return ok({ Site: this.#site(), Inverters: { 1: this.#inverter() } });
    if (name === "GetMeterRealtimeData.cgi")
      return ok(this.hasOwnNames ? { 0: this.#ownGridMeter() } : { 0: meter(1, -1_000), 1: this.#gridMeter() });
    if (name === "GetStorageRealtimeData.cgi") return this.#storage();
    if (name === "GetInverterRealtimeData.cgi" && query.get("DeviceId") === "1") {
      return ok({ TOTAL_ENERGY: { Value: this.house.produced, Unit: "Wh" } });
    }
    if (name === "GetLoggerInfo.cgi" && this.hasDatamanager) {
      const LoggerInfo = { ProductID: "fronius-datamanager-card", SWVersion: "3.18.7-1", UniqueID: "240.123456" };
      return json({ Body: { LoggerInfo }, Head: { Status: { Code: 0, Reason: "", UserMessage: "" } } });
    }
    if (name === "GetInverterInfo.cgi")
      return ok({ 1: { DT: 1, UniqueID: "29301000987160033", StatusCode: "Running" } });
    if (name === "GetOhmPilotRealtimeData.cgi") {
      const Details = { Manufacturer: "Fronius", Model: "Ohmpilot", Serial: "28136344", Software: "1.0.19-1" };
      return ok({ 0: { Details, PowerReal_PAC_Sum: 740, Temperature_Channel_1: 48.5 } });
    }
    return NOT_FOUND;
  }

  #site(): unknown {
    const { grid, pv, battery, load } = this.house;
    return {
      Mode: "bidirectional",
      P_Grid: grid,
      P_Load: -load,
      P_Akku: this.hasBattery ? -battery : null,
      P_PV: this.isNight ? null : pv,
      E_Total: null,
    };
  }

  #inverter(): unknown {
    return { DT: 1, P: 950, ...(this.hasBattery ? { SOC: this.house.soc, Battery_Mode: "normal" } : {}) };
  }

  #gridMeter(): unknown {
    const { grid, imported, exported, frequency } = this.house;
    return {
      ...(meter(0, grid) as object),
      PowerReal_P_Phase_1: grid - 300,
      Voltage_AC_Phase_1: 231.5,
      Current_AC_Phase_1: 2.5,
      Frequency_Phase_Average: frequency,
      EnergyReal_WAC_Sum_Consumed: imported,
      EnergyReal_WAC_Sum_Produced: exported,
    };
  }

  #ownGridMeter(): unknown {
    const { grid, imported, exported, frequency } = this.house;
    return {
      GRID_FREQUENCY_MEAN_F32: frequency,
      SMARTMETER_CURRENT_01_F64: 2.5,
      SMARTMETER_ENERGYACTIVE_CONSUMED_SUM_F64: imported,
      SMARTMETER_ENERGYACTIVE_PRODUCED_SUM_F64: exported,
      SMARTMETER_POWERACTIVE_01_F64: grid - 300,
      SMARTMETER_POWERACTIVE_MEAN_SUM_F64: grid,
      SMARTMETER_VALUE_LOCATION_U16: 0,
      SMARTMETER_VOLTAGE_01_F64: 231.5,
    };
  }

  #storage(): SimWebAnswer {
    if (!this.hasBattery) return answerOf({}, { Code: 255, Reason: "Storages are not supported", UserMessage: "" });
    return ok({ 0: { Controller: { DesignedCapacity: 11_520, StateOfCharge_Relative: this.house.soc, Enable: 1 } } });
  }
}

function meter(location: number, power: number): unknown {
  return { Enable: 1, Meter_Location_Current: location, PowerReal_P_Sum: power };
}

function ok(data: unknown): SimWebAnswer {
  return answerOf(data, { Code: 0, Reason: "", UserMessage: "" });
}

function answerOf(Data: unknown, Status: unknown): SimWebAnswer {
  return json({ Body: { Data }, Head: { RequestArguments: {}, Status, Timestamp: "2026-06-21T12:00:00+02:00" } });
}

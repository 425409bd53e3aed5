/** Examples of statistics and energy systems. By the id of the schema. */

export const STATISTICS_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  HemSystem: [
    {
      id: "041579aa-02ab-44fd-b167-322781716a74",
      userId: "home",
      locationId: "5f2b6f0a-93b4-4b0e-8d8b-0a43b2f2a1c7",
      information: {
        vendor: "SUNSPEC",
        name: "Home",
        installationDate: "2024-05-06T07:08:09.000Z",
        latitude: 52.52,
        longitude: 13.405,
        address: null,
        timezone: "Europe/Berlin",
        lastUpdated: "2026-06-21T10:15:30.000Z",
      },
      status: {
        lastSeen: "2026-06-21T10:15:30.000Z",
        energy: {
          today: {
            generation: 21.4,
            consumption: 9.8,
            charge: 6.1,
            discharge: 2.2,
            import: 0.9,
            export: 8.6,
            unit: "kWh",
            lastUpdated: "2026-06-21T10:15:30.000Z",
          },
        },
      },
    },
  ],
  HemStatistics: [
    {
      timeseries: {
        generation: {
          isAvailable: true,
          unit: "kW",
          unitType: "Power",
          sampling: { mode: "bucketed", resolution: "PT15M" },
          timezone: "Europe/Berlin",
          data: [
            { t: "2026-06-21T12:00:00+02:00", v: 6.48 },
            { t: "2026-06-21T12:15:00+02:00", v: null },
          ],
        },
        consumption: {
          isAvailable: true,
          unit: "kW",
          unitType: "Power",
          sampling: { mode: "bucketed", resolution: "PT15M" },
          timezone: "Europe/Berlin",
          data: [
            { t: "2026-06-21T12:00:00+02:00", v: 0.71 },
            { t: "2026-06-21T12:15:00+02:00", v: null },
          ],
        },
        import: {
          isAvailable: true,
          unit: "kW",
          unitType: "Power",
          sampling: { mode: "bucketed", resolution: "PT15M" },
          timezone: "Europe/Berlin",
          data: [
            { t: "2026-06-21T12:00:00+02:00", v: 0 },
            { t: "2026-06-21T12:15:00+02:00", v: null },
          ],
        },
        export: {
          isAvailable: true,
          unit: "kW",
          unitType: "Power",
          sampling: { mode: "bucketed", resolution: "PT15M" },
          timezone: "Europe/Berlin",
          data: [
            { t: "2026-06-21T12:00:00+02:00", v: 3.4 },
            { t: "2026-06-21T12:15:00+02:00", v: null },
          ],
        },
        charge: {
          isAvailable: true,
          unit: "kW",
          unitType: "Power",
          sampling: { mode: "bucketed", resolution: "PT15M" },
          timezone: "Europe/Berlin",
          data: [
            { t: "2026-06-21T12:00:00+02:00", v: 2.37 },
            { t: "2026-06-21T12:15:00+02:00", v: null },
          ],
        },
        discharge: {
          isAvailable: true,
          unit: "kW",
          unitType: "Power",
          sampling: { mode: "bucketed", resolution: "PT15M" },
          timezone: "Europe/Berlin",
          data: [
            { t: "2026-06-21T12:00:00+02:00", v: 0 },
            { t: "2026-06-21T12:15:00+02:00", v: null },
          ],
        },
        batteryLevel: {
          isAvailable: true,
          unit: "%",
          unitType: "SoC",
          sampling: { mode: "bucketed", resolution: "PT15M" },
          timezone: "Europe/Berlin",
          data: [
            { t: "2026-06-21T12:00:00+02:00", v: 64 },
            { t: "2026-06-21T12:15:00+02:00", v: null },
          ],
        },
      },
    },
  ],
  HemYear: [
    {
      year: 2026,
      timezone: "Europe/Berlin",
      months: [
        {
          t: "2026-05-01T00:00:00+02:00",
          generation: 812.4,
          consumption: 401.2,
          import: 38.1,
          export: 391.6,
          charge: 188.3,
          discharge: 170.6,
        },
        {
          t: "2026-06-01T00:00:00+02:00",
          generation: null,
          consumption: null,
          import: null,
          export: null,
          charge: null,
          discharge: null,
        },
      ],
    },
  ],
  InverterStatistics: [
    {
      timezone: "Europe/Berlin",
      resolutions: {
        QUARTER_HOUR: {
          unit: "kWh",
          data: [
            { date: "2026-06-21T12:00:00+02:00", value: 1.62 },
            { date: "2026-06-21T12:15:00+02:00", value: null },
          ],
        },
      },
    },
  ],
  PendingInverterStatistics: [
    {
      timezone: "Europe/Berlin",
      resolutions: {
        QUARTER_HOUR: {
          unit: "kWh",
          data: [
            { date: "2026-06-21T12:00:00+02:00", value: 1.62 },
            { date: "2026-06-21T12:15:00+02:00", value: null },
          ],
        },
      },
      retryAfter: "2026-06-21T10:30:00.000Z",
    },
  ],
  VendorStatistics: [{ production: { unit: "kWh", data: [{ date: "2026-06-21T10:00:00.000Z", value: 6.31 }] } }],
  ChargingStatistics: [
    {
      kw: { min: 4.14, max: 11.04, mean: 7.3 },
      kwhSum: 7.3,
      price: { min: 0.184, max: 0.31, mean: 0.21 },
      costSum: 1.533,
      nonSmartPrice: { min: 0.31, max: 0.31, mean: 0.31 },
      estimatedSavings: 0.73,
      isCostKnown: true,
      kwhPriced: 7.3,
      date: "2026-06-21T10:00:00.000Z",
    },
  ],
  ChargingSession: [
    {
      kw: { min: 4.14, max: 11.04, mean: 7.3 },
      kwhSum: 21.9,
      price: { min: 0.184, max: 0.31, mean: 0.21 },
      costSum: 4.599,
      id: "1f7b9d34-0c6e-4a5b-b8d2-7e91a4c0f363/2026-06-21T01:00:00.000Z",
      locationId: "5f2b6f0a-93b4-4b0e-8d8b-0a43b2f2a1c7",
      from: "2026-06-21T01:00:00.000Z",
      to: "2026-06-21T04:00:00.000Z",
      nonSmartPrice: { min: null, max: null, mean: null },
      estimatedSavings: null,
      isCostKnown: true,
      kwhPriced: 21.9,
    },
  ],
  ProductionStatistics: [
    {
      kw: { min: 5.1, max: 7.4, mean: 6.31 },
      kwhSum: 6.31,
      price: { min: 0.34, max: 0.34, mean: 0.34 },
      earningsSum: 2.1454,
      isCostKnown: true,
      kwhPriced: 6.31,
      date: "2026-06-21T10:00:00.000Z",
    },
  ],
};

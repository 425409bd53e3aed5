import { z } from "zod";

const MAX_PLANES = 8;
const MAX_SITES = 4;

const Plane = z.strictObject({
  name: z.string().min(1).max(255).optional().meta({ description: "Name shown to people." }),
  tilt: z.number().min(0).max(90).meta({ description: "Degrees from the horizontal: 0 lies flat, 90 stands." }),
  azimuth: z.number().min(0).max(360).meta({
    description: "Where the plane looks, in degrees as on a compass: 0 is north, 90 east, 180 south, 270 west.",
  }),
  peakKw: z.number().min(0.01).max(10_000).meta({ description: "Power of its modules on their data sheet, kW." }),
  lossesFraction: z.number().min(0).max(0.9).optional().meta({
    description: "Share that is lost between modules and house, where the gateway calculates the power; default 0.14.",
  }),
  noct: z.number().min(20).max(90).optional().meta({
    description: "Nominal operating cell temperature, °C, where the gateway calculates the power; default 45.",
  }),
  temperatureCoefficient: z.number().min(-2).max(0).optional().meta({
    description: "Of the power, % per kelvin, below 0, where the gateway calculates the power; default -0.35.",
  }),
});

export const ForecastConfig = z.strictObject({
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .meta({ description: "Who is asked: forecast-solar, open-meteo or solcast." }),
  planes: z.array(Plane).max(MAX_PLANES).default([]).meta({
    description: "The panels, as planes that look the same way. Not with solcast, which knows them from your account.",
  }),
  sites: z
    .array(z.string().regex(/^[A-Za-z0-9-]{1,100}$/))
    .max(MAX_SITES)
    .default([])
    .meta({ description: "With solcast: the resource ids of your rooftop sites there." }),
  place: z
    .strictObject({
      latitude: z.number().min(-90).max(90).meta({ description: "Degrees north." }),
      longitude: z.number().min(-180).max(180).meta({ description: "Degrees east." }),
    })
    .nullable()
    .default(null)
    .meta({ description: "Where the panels are; default site.place, else the owner's first location." }),
  inverterKw: z.number().min(0.01).max(10_000).nullable().default(null).meta({
    description: "The most that the inverters give together, kW; no forecast is above it.",
  }),
  key: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/)
    .nullable()
    .default(null)
    .meta({ description: "The key of your account; solcast needs one." }),
});

/** What the plan has for one device: the price, the sun and what the device takes, and whether its targets are reached. */
import { useMemo } from "preact/hooks";
import { usePage } from "../context.ts";
import { energy, moment, text } from "../format.ts";
import { nameOf } from "../live/assets.ts";
import { type Polled, usePolled } from "../live/poll.ts";
import { Chart, type Curve } from "../parts/chart.tsx";
import type { EnergyPlanView } from "../shapes.ts";
import { useLanguage } from "../texts.ts";

const EACH_MS = 30_000;
const SYNC = "device-plan";
/** Less is not worth a word, kWh. */
export const LEAST_SHORT_KWH = 0.05;

export function usePlan(): Polled<EnergyPlanView> {
  const { code } = useLanguage();
  return usePolled<EnergyPlanView>(`/local/energy/plan?language=${code}`, EACH_MS);
}

interface DevicePlanProps {
  readonly id: string;
  /** `null` before it is known. */
  readonly plan: EnergyPlanView | null;
}

/** Nothing where the device is not planned. */
export function DevicePlan({ id, plan }: DevicePlanProps) {
  const { texts } = useLanguage();
  const leftOut = plan?.leftOut.find((each) => each.id === id);
  const device = plan?.devices.find((each) => each.id === id);
  if (plan === null || (device === undefined && leftOut === undefined)) return null;
  return (
    <>
      <h3>{texts.charging.planned}</h3>
      {leftOut === undefined ? null : <p class="small second">{leftOut.text}</p>}
      {device === undefined ? null : (
        <>
          <Targets targets={device.targets} />
          {device.reasons.map(({ text: reason }) => (
            <p class="small second" key={reason}>
              {reason}
            </p>
          ))}
          <Charts plan={plan} device={device} />
        </>
      )}
    </>
  );
}

type Planned = EnergyPlanView["devices"][number];

/** Whether each target will be reached. */
function Targets({ targets }: Pick<Planned, "targets">) {
  const { texts, code } = useLanguage();
  const { charging } = texts;
  return (
    <>
      {targets.map(({ at, energy: wanted, short }) => {
        const time = moment(Date.parse(at), code);
        return short > LEAST_SHORT_KWH ? (
          <p class="error" key={at}>
            {charging.late(text(energy(short, code)), time)}
          </p>
        ) : (
          <p key={at}>{charging.inTime(text(energy(wanted, code)), time)}</p>
        );
      })}
    </>
  );
}

function Charts({ plan: { slots }, device }: { readonly plan: EnergyPlanView; readonly device: Planned }) {
  const { texts } = useLanguage();
  const { house, nowMs } = usePage();
  const asset = house.assets.find((other) => other.id === device.id);
  const name = asset === undefined ? device.id : nameOf(asset);
  const times = useMemo(() => slots.map(({ from }) => Date.parse(from)), [slots]);
  const prices = useMemo(() => [priceCurve(slots, texts.plan.price)], [slots, texts]);
  const powers = useMemo((): readonly Curve[] => {
    const sun = { label: texts.home.sun, colour: "solar", kind: "line" } as const;
    const colour = ({ battery: "battery", vehicle: "car", heat: "heat" } as const)[device.deviceType];
    return [
      { ...sun, values: slots.map(({ production }) => production) },
      { label: name, colour, kind: "steps", values: device.power },
    ];
  }, [slots, device, name, texts]);
  return (
    <>
      <Chart title={texts.plan.priceTitle} decimals={1} times={times} curves={prices} nowMs={nowMs} sync={SYNC} />
      <Chart title={texts.charging.planTitle} decimals={2} times={times} curves={powers} nowMs={nowMs} sync={SYNC} />
    </>
  );
}

/** The price in hundredths of the currency, with a hole where it is not known yet. */
export function priceCurve(slots: EnergyPlanView["slots"], label: string): Curve {
  const values = slots.map(({ importPrice, isPriceKnown }) => (isPriceKnown ? importPrice * 100 : null));
  return { label, colour: "grid", kind: "steps", values };
}

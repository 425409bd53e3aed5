/** A chart over time; uPlot draws it. Its values are read by touch, by mouse, and as a table by screen readers. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { number } from "../format.ts";
import { useLanguage } from "../texts.ts";

export interface Curve {
  readonly label: string;
  /** A colour of `tokens.css`, without its dashes. */
  readonly colour: "solar" | "grid" | "battery" | "home" | "car" | "heat" | "ink-2";
  readonly kind: "line" | "steps" | "bars";
  /** One for each time; `null` leaves a hole. */
  readonly values: readonly (number | null)[];
  /** Drawn below the line of 0: what leaves the house's bus. Its numbers stay positive. */
  readonly isBelow?: true;
  readonly isDashed?: true;
}

interface ChartProps {
  /** What it shows, with the unit. */
  readonly title: string;
  readonly decimals: number;
  /** ms since 1970, ascending. */
  readonly times: readonly number[];
  readonly curves: readonly Curve[];
  readonly nowMs?: number;
  /** Charts with the same name show the same moment. */
  readonly sync?: string;
}

const HEIGHT = 190;
const BAR_SHARE = 0.8;
const DASHES = [6, 4];

export function Chart({ title, decimals, times, curves, nowMs, sync }: ChartProps) {
  const { code, texts } = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = place.current;
    if (box === null) return;
    const colours = getComputedStyle(box);
    const colour = (name: string): string => colours.getPropertyValue(`--${name}`).trim();
    const axis = {
      stroke: colour("ink-3"),
      grid: { stroke: colour("line"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui",
    };
    const isMirrored = curves.some(({ isBelow }) => isBelow);
    const chart = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        legend: { live: true },
        cursor: { drag: { x: false, y: false }, ...(sync === undefined ? {} : { sync: { key: sync } }) },
        scales: { y: { range: (_chart, low, high) => rangeOf(low, high) } },
        axes: [
          {
            ...axis,
            size: 26,
            values: (_chart, ticks) => withoutRepeats(ticks.map((tick) => timeLabel(tick * 1_000, times, code))),
          },
          {
            ...axis,
            size: 44,
            values: (_chart, ticks) =>
              ticks.map((tick) => number(isMirrored ? Math.abs(tick) : tick, code, decimalsOf(ticks))),
          },
        ],
        series: [
          {
            label: texts.plan.time,
            value: (_chart, seconds) => (seconds === null ? "" : momentLabel(seconds * 1_000, code)),
          },
          ...curves.map(({ label, colour: name, kind, values, isBelow, isDashed }) => ({
            label,
            stroke: colour(name),
            width: 2,
            ...(isDashed && { dash: DASHES }),
            fill: kind === "line" ? "" : colour(`${name}-soft`) || "",
            points: { show: false, size: 6, fill: colour(name), filter: () => (kind === "line" ? alone(values) : []) },
            value: (_chart: uPlot, value: number | null, _at: number, index: number | null) =>
              index === null ? "" : value === null ? "–" : number(isBelow ? -value : value, code, decimals),
            ...pathsOf(kind),
          })),
        ],
        hooks: { draw: [(drawn) => drawNow(drawn, nowMs, colour("ink"))] },
      },
      [times.map((ms) => ms / 1_000), ...curves.map(shownValues)],
      box,
    );
    const watch = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: HEIGHT }));
    watch.observe(box);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
    // A minute is a pixel: the line of now moves with the next data.
  }, [times, curves, code, decimals, sync]);
  return (
    <figure>
      <figcaption class="small second">{title}</figcaption>
      <div
        ref={place}
        class="plot"
        style={{ minHeight: `${HEIGHT + 40}px` }}
        role="img"
        aria-label={summary(title, curves, decimals, code)}
      />
    </figure>
  );
}

function shownValues({ values, isBelow }: Curve): (number | null)[] {
  return values.map((value) => (value === null || isBelow === undefined ? value : -value));
}

/** Power, energy and prices begin at 0: an area that did not would show a difference larger than it is. */
function rangeOf(low: number | null, high: number | null): [number, number] {
  const [from, to] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  const room = (to - from || 1) * 0.08;
  return [from < 0 ? from - room : 0, to > 0 || from === 0 ? to + room : 0];
}

/** Returns as many decimals as it takes to tell the ticks of an axis apart. */
function decimalsOf([first = 0, second = 1]: readonly number[]): number {
  const step = second - first;
  const isWhole = (decimals: number): boolean =>
    Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6;
  return [0, 1, 2].find(isWhole) ?? 3;
}

function pathsOf(kind: Curve["kind"]): Partial<uPlot.Series> {
  const { stepped, bars } = uPlot.paths;
  if (kind === "steps" && stepped !== undefined) return { paths: stepped({ align: 1 }) };
  if (kind === "bars" && bars !== undefined) return { paths: bars({ size: [BAR_SHARE], align: 0 }) };
  return {};
}

/** Returns the places of values between holes, which a line does not show. */
function alone(values: readonly (number | null)[]): number[] {
  const isKnown = (index: number): boolean => (values[index] ?? null) !== null;
  return [...values.keys()].filter((index) => isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1));
}

function drawNow({ ctx, bbox, valToPos }: uPlot, nowMs: number | undefined, colour: string): void {
  if (nowMs === undefined) return;
  const x = valToPos(nowMs / 1_000, "x", true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

const DAY_MS = 86_400_000;

/** Hours within two days, days within months, months beyond. */
function timeLabel(ms: number, times: readonly number[], locale: string): string {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (span > 62 * DAY_MS) return new Intl.DateTimeFormat(locale, { month: "short" }).format(ms);
  if (span > 3 * DAY_MS) return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }).format(ms);
  const date = new Date(ms);
  if (date.getHours() === 0 && date.getMinutes() === 0)
    return new Intl.DateTimeFormat(locale, { weekday: "short" }).format(ms);
  return new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(ms);
}

/** A day has several ticks, and its name stands at the first. */
function withoutRepeats(labels: readonly string[]): string[] {
  return labels.map((label, index) => (label === labels[index - 1] ? "" : label));
}

function momentLabel(ms: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(ms);
}

/** Lowest and highest value of each curve, in words. */
function summary(title: string, curves: readonly Curve[], decimals: number, locale: string): string {
  const parts = curves.flatMap(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return [];
    const [low, high] = [Math.min(...known), Math.max(...known)];
    return [`${label} ${number(low, locale, decimals)} – ${number(high, locale, decimals)}`];
  });
  return [title, ...parts].join(". ");
}

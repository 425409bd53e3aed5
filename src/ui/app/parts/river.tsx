/** The flow of the house as a picture: bands as wide as their power, sources above, uses below. */
import { type Branch, branchKw, type EnergyKind, type Flow } from "./flow.ts";

const WIDTH = 1_000;
const HEIGHT = 280;
const TRUNK = { top: 120, bottom: 160, left: 250, width: 500 } as const;
/** The widest band at its own place, so that neighbours do not touch. */
const BAND_SHARE = 0.8;
const LEAST_BAND = 3;

export function River({ flow, label }: { readonly flow: Flow; readonly label: string }) {
  const { sources, uses, totalKw } = flow;
  const scale = TRUNK.width / Math.max(totalKw, 0.01);
  return (
    <svg class="r" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="trunk" x={TRUNK.left} y={TRUNK.top} width={TRUNK.width} height={TRUNK.bottom - TRUNK.top} />
      <Bands branches={sources} scale={scale} isAbove />
      <Bands branches={uses} scale={scale} isAbove={false} />
    </svg>
  );
}

interface BandsProps {
  readonly branches: readonly Branch[];
  readonly scale: number;
  readonly isAbove: boolean;
}

function Bands({ branches, scale, isAbove }: BandsProps) {
  const column = WIDTH / branches.length;
  let used = TRUNK.left;
  return (
    <>
      {branches.map(({ kind, kw }, index) => {
        const centre = column * (index + 0.5);
        const far = isAbove ? 0 : HEIGHT;
        if (kw === null) return <path key={kind} class="gone" d={`M${centre} ${far}V${isAbove ? 44 : HEIGHT - 44}`} />;
        if (kw < 0.01) return null;
        const inner = kw * scale;
        const outer = Math.max(LEAST_BAND, Math.min(inner, column * BAND_SHARE));
        const near = isAbove ? TRUNK.top : TRUNK.bottom;
        const from = used;
        used += inner;
        return (
          <Band
            key={kind}
            kind={kind}
            kw={kw}
            far={far}
            near={near}
            centre={centre}
            outer={outer}
            from={from}
            inner={inner}
          />
        );
      })}
    </>
  );
}

interface BandProps {
  readonly kind: EnergyKind;
  readonly kw: number;
  readonly far: number;
  readonly near: number;
  readonly centre: number;
  readonly outer: number;
  readonly from: number;
  readonly inner: number;
}

function Band({ kind, kw, far, near, centre, outer, from, inner }: BandProps) {
  const bend = (far + near) / 2;
  const [left, right] = [centre - outer / 2, centre + outer / 2];
  const to = from + inner;
  const middle = from + inner / 2;
  const edge = `M${left} ${far}C${left} ${bend} ${from} ${bend} ${from} ${near}H${to}C${to} ${bend} ${right} ${bend} ${right} ${far}z`;
  // The dashes run from above to below on both sides.
  const way =
    far < near
      ? `M${centre} ${far}C${centre} ${bend} ${middle} ${bend} ${middle} ${near}`
      : `M${middle} ${near}C${middle} ${bend} ${centre} ${bend} ${centre} ${far}`;
  const pace = kw > 4 ? "fast" : kw < 1 ? "slow" : "";
  return (
    <g class={`k-${kind}`}>
      <path class="rb" d={edge} />
      {outer > 8 ? <path class={`fl ${pace}`} d={way} /> : null}
    </g>
  );
}

/** The flow in words, for those who do not see it. */
export function flowWords(flow: Flow, name: (kind: EnergyKind) => string, power: (kw: number) => string): string {
  const side = (branches: readonly Branch[]): string =>
    branches
      .filter(({ kind }) => branchKw(branches, kind) > 0)
      .map(({ kind, kw }) => `${name(kind)} ${power(kw ?? 0)}`)
      .join(", ");
  return `${side(flow.sources)} → ${side(flow.uses)}`;
}

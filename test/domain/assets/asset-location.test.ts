import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceM, nearestPlace } from "../../../src/domain/assets/asset-location.ts";

const place = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});
const BERLIN = { latitude: 52.52, longitude: 13.405 };

/** The angle between two unit vectors: the other way to the same distance. */
function byVectors(a: typeof BERLIN, b: typeof BERLIN): number {
  const vector = ({ latitude, longitude }: typeof BERLIN): readonly [number, number, number] => {
    const [lat, lon] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
  };
  const [x1, y1, z1] = vector(a);
  const [x2, y2, z2] = vector(b);
  const cross = Math.hypot(y1 * z2 - z1 * y2, z1 * x2 - x1 * z2, x1 * y2 - y1 * x2);
  return 6_371_008.8 * Math.atan2(cross, x1 * x2 + y1 * y2 + z1 * z2);
}

describe("the distance", () => {
  it("is the great circle's, everywhere", () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect(Math.abs(distanceM(a, b) - byVectors(a, b))).toBeLessThan(0.5);
        expect(distanceM(a, b)).toBe(distanceM(b, a));
        expect(distanceM(a, a)).toBe(0);
      }),
    );
  });

  it.each([
    [BERLIN, { latitude: 48.8566, longitude: 2.3522 }, 877_465],
    [{ latitude: 0, longitude: 179.9995 }, { latitude: 0, longitude: -179.9995 }, 111],
    [{ latitude: 90, longitude: 0 }, { latitude: 90, longitude: 120 }, 0],
  ])("of %o to %o is %i m", (a, b, metres) => {
    expect(Math.round(distanceM(a, b))).toBe(metres);
  });
});

describe("a device is at the nearest place in reach", () => {
  const north = (metres: number) => ({ ...BERLIN, latitude: BERLIN.latitude + metres / 111_195 });

  it.each([
    ["vehicle", 149, true],
    ["vehicle", 151, false],
    ["battery", 499, true],
    ["inverter", 499, true],
    ["meter", 499, true],
    ["meter", 501, false],
  ] as const)("%s, %i m away: %s", (kind, metres, isThere) => {
    expect(nearestPlace(kind, BERLIN, [north(metres)]) !== null).toBe(isThere);
  });

  it("whatever the order of the places, and the first of equal ones", () => {
    const [near, far] = [north(20), north(-60)];
    expect(nearestPlace("vehicle", BERLIN, [far, near])).toBe(near);
    expect(nearestPlace("vehicle", BERLIN, [near, far])).toBe(near);
    const [one, other] = [{ ...BERLIN }, { ...BERLIN }];
    expect(nearestPlace("vehicle", BERLIN, [one, other])).toBe(one);
    expect(nearestPlace("vehicle", BERLIN, [])).toBeNull();
  });
});

/**
 * The figures of Tesla's own worked examples: teslamotors/vehicle-command, pkg/protocol/protocol.md, and the proto files
 * beside it. The keys are published there, and belong to no vehicle.
 */
import { keyPairOf } from "../../../adapters/clouds/kit/login/key-pair.ts";

export const bytes = (hex: string) => Buffer.from(hex, "hex");

export const hex = (of: Uint8Array | null | undefined) => of && Buffer.from(of).toString("hex");

export const VIN = "5YJ30123456789ABC";

export const VEHICLE_KEY =
  "04c7a1f47138486aa4729971494878d33b1a24e39571f748a6e16c5955b3d877d3a6aaa0e955166474af5d32c410f439a2234137ad1bb085fd4e8813c958f11d97";

export const CLIENT = keyPairOf(bytes("2538CDC29A97C19C1E99A637D6CF4F8C970C118B56EDE1E6323E6D162C4B30DB"));

/** Both ends work it out. */
export const SHARED = "1b2fce19967b79db696f909cff89ea9a";

export const UUID = "1588d5a30eabc6f8fc9a951b11f6fd11";

export const ADDRESS = "2c907bd76c640d360b3027dc7404efde";

export const EPOCH = "4c463f9cc0d3d26906e982ed224adde6";

export const SESSION_INFO = `08061241${VEHICLE_KEY}1a10${EPOCH}255a0a0000`;

export const SESSION_INFO_TAG = "996c1fe38331be138f8039c194b14db2198846ed7d8251e6749284d7b32ea002";

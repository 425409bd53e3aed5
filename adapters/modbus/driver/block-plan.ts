/** Which registers to ask for in one request: pure, so that what it promises can be tested for any device. */
import { type RegisterPoint, type RegisterTable, registerWords, type UnitLimits } from "hemgate/sdk";

/**
 * What one more request costs, in registers: a hole up to this size is read along. Two frames with their MBAP heads
 * and a share of the TCP/IP headers are about as many bytes.
 */
export const REQUEST_COST_REGISTERS = 31;

/** Registers that one request asks for, and the points that it covers. */
export interface Block {
  readonly table: RegisterTable;
  readonly address: number;
  readonly count: number;
  /** By address. */
  readonly points: readonly RegisterPoint<string>[];
}

/** What a device has been found to refuse. */
export interface Barriers {
  /** Points whose registers are refused. Nothing is read across them; they are asked for alone. */
  readonly refused: readonly RegisterPoint<string>[];
  /** True when no request may cover both this register and the one before it. */
  isCut(table: RegisterTable, address: number): boolean;
}

/** Covers each point by exactly one block, with the fewest blocks that limits and barriers allow. */
export function planBlocks(
  points: readonly RegisterPoint<string>[],
  limits: UnitLimits,
  barriers: Barriers,
): readonly Block[] {
  const sorted = [...points].sort((a, b) => a.address - b.address || registerWords(a) - registerWords(b));
  const isRefused = (point: RegisterPoint<string>): boolean => barriers.refused.includes(point);
  const blocks = sorted.filter(isRefused).map((point) => blockOf([point]));
  for (const table of ["holding", "input", "coil", "discrete"] as const) {
    let run: RegisterPoint<string>[] = [];
    for (const point of sorted.filter((each) => each.table === table && !isRefused(each))) {
      if (run.length > 0 && !mayJoin(blockOf(run), point, limits, barriers)) {
        blocks.push(blockOf(run));
        run = [];
      }
      run.push(point);
    }
    if (run.length > 0) blocks.push(blockOf(run));
  }
  return blocks;
}

function mayJoin(block: Block, point: RegisterPoint<string>, limits: UnitLimits, barriers: Barriers): boolean {
  const end = block.address + block.count;
  const joinedEnd = Math.max(end, endOf(point));
  if (limits.isOneValuePerRequest) return point.address === block.address && endOf(point) === end;
  if (joinedEnd - block.address > limits.maxRegisters || point.address - end > REQUEST_COST_REGISTERS) return false;
  for (let address = end; address <= point.address; address++) if (barriers.isCut(block.table, address)) return false;
  return !barriers.refused.some(
    (wall) => wall.table === block.table && wall.address < joinedEnd && endOf(wall) > block.address,
  );
}

/** Halves a block between two of its points; null when it holds one value, or values that overlap. */
export function splitBlock(block: Block): readonly [Block, Block] | null {
  const { points } = block;
  let best: number | null = null;
  let coveredTo = 0;
  points.forEach((point, index) => {
    const isNearer = best === null || Math.abs(2 * index - points.length) < Math.abs(2 * best - points.length);
    if (index > 0 && point.address >= coveredTo && isNearer) best = index;
    coveredTo = Math.max(coveredTo, endOf(point));
  });
  return best === null ? null : [blockOf(points.slice(0, best)), blockOf(points.slice(best))];
}

function blockOf(points: readonly RegisterPoint<string>[]): Block {
  const address = Math.min(...points.map((point) => point.address));
  const count = Math.max(...points.map(endOf)) - address;
  return { table: points[0]?.table ?? "holding", address, count, points };
}

function endOf(point: RegisterPoint<string>): number {
  return point.address + registerWords(point);
}

/** A wall clock before 2024, ms, was never set (rule S6.4). */
export const EARLIEST_NOW_MS = Date.UTC(2024);

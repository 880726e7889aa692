/** How a boolean is kept: both databases hold the same, and SQLite has no type for it. */
export type Flag = 0 | 1

export const flag = (value: boolean): Flag => (value ? 1 : 0)

/** The day of a moment where Node-RED runs, as file names and people write it: `2026-01-15`. */
export const localDay = (moment: Date): string =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** The teams whose sandboxes share one process. Types alone: the pages import them. */

/** A sandbox among others of one process, each with its own store, clock, keys, and faults. */
export interface Team {
  /** Small letters, digits and hyphens. */
  name: string
  /** The port on which it listens. */
  port: number
}

/** A team as one of the sandboxes lists it. */
export interface ListedTeam extends Team {
  /** Whether it is the one that answers. */
  isThis: boolean
}

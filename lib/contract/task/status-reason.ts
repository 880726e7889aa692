/** How long a reason may be that someone gives for a status, in characters. choice: Reason of a retract */
export const MAX_REASON = 500

/** How long a reason may be that somebody gives for a status, in characters. choice: Reason of a retract */
export const MAX_REASON = 500

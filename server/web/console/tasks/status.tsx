/** The status of a task as a badge, and what it says beyond the status. */
export const Status = ({ status, detail = '' }: { status: string; detail?: string }) => (
  <span class={`badge ${status}`}>
    {status}
    {detail && ` · ${detail}`}
  </span>
)

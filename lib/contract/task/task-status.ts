/** The statuses of a task. Plain data, which the pages import too. spec: States and transitions */

export const taskStatuses = [
  'Received',
  'Processing',
  'Pending',
  'Completed',
  'Rejected',
  'Retracted',
  'Failed',
  'Cancelled',
] as const
type TaskStatus = (typeof taskStatuses)[number]

/** Whether a task stays in this status for good. spec: States and transitions */
export const isFinal = (status: TaskStatus): boolean => !['Received', 'Processing', 'Pending'].includes(status)

// The timer by which n8n resumes a suspended execution.
//
// Relies on: the leader scans every 60 s for executions that are due within 70 s and sets a timer for each (n8n,
//   dist/wait-tracker.js: `getWaitingExecutions`; @n8n/db, dist/repositories/execution.repository.js). A resume by webhook does
//   not clear the timer (n8n, `WaitTracker.stopExecution` is called only when an execution is stopped).
// Verified on: 2.41.1 (measured); time resumes on 2.33.7 and 2.40.7 were not timed.
// If absent: with a wider window, the stale timer of an execution that was resumed just before ends the next wait of
//   that execution; with a narrower one, decisions are reported some seconds later than possible.

/**
 * n8n sets its timer up to 70 s before the end of a wait; 5 s are a margin. The pack sends no resume call within this time:
 * the timer would stay set and end the execution's next wait.
 */
export const TIMER_WINDOW_MS = 75_000;

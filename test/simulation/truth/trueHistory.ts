import type { Result, Stage } from './stage';

/** A short history that the simulated and the real n8n play alike. */
export interface TrueHistory {
	name: string;
	/** Whether every end-to-end run plays it with the real n8n. The weekly run plays all. */
	isQuick?: true;
	/** The result that docs/reliability.md and n8n's behaviour lead to. */
	expected: Result;
	play: (stage: Stage) => Promise<void>;
}

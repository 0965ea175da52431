import type { RecordChange, Source, WorkflowStart } from './types';

/** A change that is to start the workflow. */
export interface WantedChange<Followed extends Source> {
	key: string;
	change: RecordChange<Followed>;
	/** To be called when it is asked for, in the same turn: from then on it is among what is saved. */
	ask(): void;
	/** To be called when the start is confirmed. */
	confirm(): void;
}

/** A start on its way. */
export interface OutgoingStart<Followed extends Source>
	extends WorkflowStart<Followed>, Pick<WantedChange<Followed>, 'ask' | 'confirm'> {}

/** One start of several changes. */
export const bundled = <Followed extends Source>(
	key: string,
	wanted: Array<WantedChange<Followed>>,
): OutgoingStart<Followed> => ({
	key,
	changes: wanted.map(({ change }) => change),
	ask: () => {
		for (const { ask } of wanted) ask();
	},
	confirm: () => {
		for (const { confirm } of wanted) confirm();
	},
});

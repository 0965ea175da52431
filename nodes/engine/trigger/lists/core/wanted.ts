import type { RecordChange, Source, WorkflowStart } from './types';

/** A change that is to start the workflow. */
export interface WantedChange<Followed extends Source> {
	key: string;
	change: RecordChange<Followed>;
	/** To be called when it is asked for, in the same turn: from then on it is among what is saved. */
	markRequested(): void;
	/** To be called when the start is confirmed. */
	markConfirmed(): void;
}

/** A start on its way. */
export interface OutgoingStart<Followed extends Source>
	extends
		WorkflowStart<Followed>,
		Pick<WantedChange<Followed>, 'markRequested' | 'markConfirmed'> {}

/** One start of several changes. */
export const toOutgoingStart = <Followed extends Source>(
	key: string,
	wanted: Array<WantedChange<Followed>>,
): OutgoingStart<Followed> => ({
	key,
	changes: wanted.map(({ change }) => change),
	markRequested: () => {
		for (const { markRequested } of wanted) markRequested();
	},
	markConfirmed: () => {
		for (const { markConfirmed } of wanted) markConfirmed();
	},
});

import type { RecordChange, ListDefinition, WorkflowStart } from './types';

/** A change that has to start the workflow. */
export interface WantedChange<Followed extends ListDefinition> {
	key: string;
	change: RecordChange<Followed>;
	/**
	 * Adds the record's new state to the known records. Must be called in the event-loop turn in which the start is
	 * requested: n8n may save at any moment, and the snapshot must hold both the new state and the start, or neither.
	 */
	markRequested(): void;
	/** Must be called when n8n confirms the start. Lets the saved cursor pass the change. */
	markConfirmed(): void;
}

/**
 * A change of a start that was requested before the last restart, whose record was read again. `key` is the start's key;
 * `wantedChange` is missing if the change no longer holds.
 */
export interface RepeatedChange<Followed extends ListDefinition> {
	key: string;
	wantedChange?: WantedChange<Followed>;
}

/** The changes of one record. */
export interface ProcessedRecord<Followed extends ListDefinition> {
	repeated: Array<RepeatedChange<Followed>>;
	wantedChanges: Array<WantedChange<Followed>>;
	/** Whether the record's contents differ from the known state, or the record was unknown. */
	isChanged: boolean;
}

/** A start that is being requested from n8n. */
export interface OutgoingStart<Followed extends ListDefinition>
	extends
		WorkflowStart<Followed>,
		Pick<WantedChange<Followed>, 'markRequested' | 'markConfirmed'> {}

/** Combines changes into one start. */
export const toOutgoingStart = <Followed extends ListDefinition>(
	key: string,
	wantedChanges: Array<WantedChange<Followed>>,
): OutgoingStart<Followed> => ({
	key,
	changes: wantedChanges.map(({ change }) => change),
	markRequested: () => {
		for (const { markRequested } of wantedChanges) markRequested();
	},
	markConfirmed: () => {
		for (const { markConfirmed } of wantedChanges) markConfirmed();
	},
});

import type { Change, Source, Start } from './types';

/** A change that is to start the workflow. */
export interface Wanted<Followed extends Source> {
	key: string;
	change: Change<Followed>;
	/** To be called when it is asked for, in the same turn: from then on it is among what is saved. */
	ask(): void;
	/** To be called when the start is confirmed. */
	confirm(): void;
}

/** A start on its way. */
export interface Outgoing<Followed extends Source>
	extends Start<Followed>, Pick<Wanted<Followed>, 'ask' | 'confirm'> {}

/** One start of several changes. */
export const bundled = <Followed extends Source>(
	key: string,
	wanted: Array<Wanted<Followed>>,
): Outgoing<Followed> => ({
	key,
	changes: wanted.map(({ change }) => change),
	ask: () => {
		for (const { ask } of wanted) ask();
	},
	confirm: () => {
		for (const { confirm } of wanted) confirm();
	},
});

import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure, toNodeError } from '../errors';
import type { Batch } from '../operation';
import { isRecord } from '../values/convert';

/** What one item waits for. */
export interface WaitedFor {
	id: string;
	/** Who is expected to answer, where that is known. */
	subject?: string;
	/** What the item has done itself, such as "The order 17 was placed": said when waiting for it fails. */
	done?: string;
	/** When it expires at the service, in wall-clock time; absent if it never does, or that is not known. */
	expiresAt?: number;
}

/** The wait of one item. */
export interface ItemWait<W extends WaitedFor> {
	on: W;
	/** When it began, and when it is over at the latest, by the time of day. */
	since: number;
	until?: number;
	intervalMs: number;
	/** How often the node itself has looked. */
	polls: number;
	seenOutstanding: boolean;
}

/** How far one item has come: what it puts out, and what it waits for if it still does; or why it failed. */
export type ItemState<W extends WaitedFor> =
	{ output: IDataObject; wait?: ItemWait<W> } | { failed: unknown };

/** The same as plain JSON, to be stored with the execution: nothing secret, and no more than the output needs. */
interface ParkedState {
	gatehouse: 1;
	items: unknown[];
}

/** What is stored of the items of an execution. */
export const toParkedState = <W extends WaitedFor>(
	items: Array<ItemState<W>>,
	{ context, calls }: Pick<Batch, 'context' | 'calls'>,
): ParkedState => ({
	gatehouse: 1,
	items: items.map((item, index) => {
		if (!('failed' in item)) return item;
		const error = toNodeError(context.getNode(), item.failed, index, calls[index]?.secrets());
		const status = 'httpCode' in error ? (error.httpCode ?? undefined) : undefined;
		return { failed: { message: error.message, advice: error.description ?? undefined, status } };
	}),
});

/** The items that were stored; nothing where none were. */
export function fromParkedState<W extends WaitedFor>(
	stored: unknown,
): Array<ItemState<W>> | undefined {
	if (!isRecord(stored) || stored.gatehouse !== 1 || !Array.isArray(stored.items)) return undefined;
	// This pack has written them. A copy, since n8n may run the node once more with what it stored.
	return (structuredClone(stored.items) as Array<ItemState<W>>).map((item) =>
		'failed' in item ? { failed: toServiceFailure(item.failed) } : item,
	);
}

/** What the items of an execution that was parked have done themselves. */
export const doneTextsIn = (stored: unknown): string[] =>
	(fromParkedState(stored) ?? []).flatMap((item) =>
		'failed' in item || !item.wait?.on.done ? [] : [item.wait.on.done],
	);

/** What is said of something that an item has done itself, when waiting for it fails. */
export const noRepeatAdvice = (done: string) =>
	`${done} anyway: don't repeat this step, check that ID instead.`;

function toServiceFailure(failed: unknown): ServiceFailure {
	const { message, advice, status } = failed as {
		message: string;
		advice?: string;
		status?: string;
	};
	return new ServiceFailure(message, { advice, status: status ? Number(status) : undefined });
}

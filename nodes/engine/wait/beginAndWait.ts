import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../errors';
import type { Batch, Call, Result } from '../operation';
import type { Ended } from '../watch';
import type { Question } from './ask';
import { waitTogether } from './wait';
import type { Wait, WaitValues } from './wait';

/** What one item waits for. */
export interface WaitedFor {
	id: string;
	/** What the item has done itself, such as "The order 17 was placed": said when waiting for it fails. */
	done?: string;
}

/** What an item puts out once it has begun, and what it waits for, if it does. */
export interface Begun<W extends WaitedFor = WaitedFor> {
	output: IDataObject;
	wait?: W;
}

/**
 * Has every item begin by the engine's rules, and then waits for all of them together. `conclude` says what an end adds to the
 * output of its item, or throws. Where an item has failed and the user did not choose to go on, nobody is kept waiting.
 */
export async function beginAndWait<V extends WaitValues, W extends WaitedFor>(
	batch: Batch<V>,
	begin: (values: V, call: Call) => Promise<Begun<W>>,
	question: Question,
	conclude: (values: V, call: Call, end: Ended, wait: W) => IDataObject | Promise<IDataObject>,
): Promise<Result[]> {
	const begun = new Map<Call, Begun<W>>();
	const waits: Wait[] = [];
	const first = await batch.each(async (values, call) => {
		const item = await begin(values, call);
		begun.set(call, item);
		if (item.wait) waits.push({ call, values, id: item.wait.id });
		return item.output;
	});
	const stopped = !batch.continueOnFail && first.some((result) => 'error' in result);
	if (stopped || waits.length === 0) return first;
	const ends = await waitTogether(waits, question);
	const results = new Map(batch.calls.map((call, index) => [call, first[index]!]));
	return await batch.each(async (values, call) => {
		const result = results.get(call)!;
		if ('error' in result) throw result.error;
		const { output, wait } = begun.get(call)!;
		const end = ends.get(call);
		if (!wait || !end) return output;
		if (end instanceof Error) throw wait.done ? afterBeginning(end, wait.done) : end;
		return { ...output, ...(await conclude(values, call, end, wait)) };
	});
}

/** Why a wait failed, for an item that has itself begun what it waits for: that was done all the same, and has an ID. */
function afterBeginning(failure: Error, done: string): Error {
	if (!(failure instanceof ServiceFailure)) return failure;
	const { message, status, code, body, advice } = failure;
	const note = `${done} all the same: do not repeat this step, look after that ID.`;
	const words = [advice, note].filter(Boolean).join(' ');
	return new ServiceFailure(message, { status, code, body, advice: words });
}

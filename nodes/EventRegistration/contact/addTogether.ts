import { BadInput, ServiceFailure } from '../../engine/errors';
import type { Batch, Field, Result } from '../../engine/operation';
import { contactForm } from '../form/forms';
import { formBody } from '../form/body';
import { Filling } from './bulkAdd';
import type { Entry } from './bulkAdd';

export const contactsPerRequest: Field = {
	displayName: 'Contacts per Request',
	name: 'contactsPerRequest',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000 },
	default: 100,
	description: 'How many contacts are sent in one request at most',
};

export const findRefused: Field = {
	displayName: 'Find Refused Contacts',
	name: 'findRefused',
	type: 'boolean',
	default: true,
	description:
		'Whether to find the contacts that are not valid when the service refuses a request, by sending its contacts again in smaller parts. Otherwise all contacts of that request fail.',
};

/**
 * Adds the contacts of all items, list by list and many at a time. Everything is read before anything is sent; a contact
 * that the service refuses fails alone, and none is sent again that may have been added.
 */
export async function addTogether(batch: Batch): Promise<Result[]> {
	const entries: Entry[] = [];
	const results = await batch.each(async (call) => {
		const { params = {} } = await call.request();
		const contact = await formBody(call, contactForm, { demanding: true });
		if (Object.keys(contact).length === 0) {
			throw new BadInput(
				'This contact is empty',
				'Map at least one field of the contact form onto a value. In automatic mode, input fields must be named like those of the form.',
			);
		}
		entries.push({ call, listId: `${params.contactListId as string}`, contact });
		return {};
	});
	if (!batch.continueOnFail && results.some(isFailure)) return results;
	for (const list of byList(entries).values()) {
		await new Filling(list, results, batch.continueOnFail).run();
	}
	if (!batch.continueOnFail) summarize(results);
	return results;
}

const isFailure = (result: Result | undefined): result is { error: unknown } =>
	result !== undefined && 'error' in result;

function byList(entries: Entry[]): Map<string, Entry[]> {
	const lists = new Map<string, Entry[]>();
	for (const entry of entries) {
		const list = lists.get(entry.listId);
		if (list) list.push(entry);
		else lists.set(entry.listId, [entry]);
	}
	return lists;
}

/** Where one failure ends the run, its message must tell what became of the others, and of whom that is not known. */
function summarize(results: Result[]): void {
	const failed = results.flatMap((result, index) => (isFailure(result) ? [index] : []));
	const first = failed[0];
	if (first === undefined || results.length === 1) return;
	const errorOf = (index: number) => (results[index] as { error: unknown }).error;
	const error = errorOf(first);
	if (!(error instanceof ServiceFailure)) return;
	const isOpen = (index: number) => (errorOf(index) as Partial<ServiceFailure>).uncertain === true;
	const open = failed.filter(isOpen);
	const out = failed.filter((index) => !isOpen(index));
	const { status, code, uncertain, body } = error;
	const counts = [
		`${results.length - failed.length} of ${results.length} contacts were added`,
		out.length > 0 && `${out.length} ${out.length > 1 ? 'were' : 'was'} not`,
		open.length > 0 && `${open.length} may or may not have been`,
	];
	const advice = [
		out.length > 0 && `Not added: ${items(out)}.`,
		open.length > 0 && `May or may not have been added: ${items(open)}.`,
		error.advice,
		'To get contacts that fail on a branch of their own while the others pass, set On Error in the settings of this node to Continue (using error output).',
	];
	results[first] = {
		error: new ServiceFailure(
			`${counts.filter(Boolean).join(', ')}. Item ${first}: ${error.message}`,
			{ status, code, uncertain, body, advice: advice.filter(Boolean).join(' ') },
		),
	};
}

const items = (indexes: number[]) =>
	`${indexes.length > 1 ? 'items' : 'item'} ${indexes.slice(0, 20).join(', ')}${indexes.length > 20 ? ' and more' : ''}`;

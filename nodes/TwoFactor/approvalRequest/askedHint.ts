import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';

import type { Batch, ItemResult } from '../../engine/operation';
import { isRecord } from '../../engine/values/isRecord';

/**
 * Hints that correct one of n8n's own. For every operation called `sendAndWait` with several input items, the editor of n8n
 * 2.41.1 says "This action will run only once, for the first input item" (getGenericHints in editor-ui), which is false
 * here. A node cannot turn n8n's hint off; the editor shows these hints above it.
 */
export const sendAndWaitHints: INodeTypeDescription['hints'] = [
	{
		message:
			"Each input item asks its own user, unless 'Execute Once' is on. n8n's note about the first input item doesn't apply to this node.",
		displayCondition: '={{ $parameter["operation"] === "sendAndWait" && $input.all().length > 1 }}',
		whenToDisplay: 'beforeExecution',
		location: 'outputPane',
	},
];

/** Shows next to the output how many people were asked, if there are several items. */
export function addAskedHint({ calls }: Pick<Batch, 'calls'>, results: ItemResult[]): void {
	const [first, ...others] = calls;
	if (!first || others.length === 0) return;
	const ranSentence = `All ${calls.length} items ran, not only the first`;
	const items = results.flatMap((result) => ('items' in result ? result.items : []));
	const failedCount = calls.length - items.length;
	const requests = items.flatMap(requestsIn);
	const people = new Set(requests.map(({ twofactor_id: user }) => `${user}`)).size;
	// The number of people is left out if items failed: for some of the failed items a person was asked, for others not.
	if (failedCount > 0) first.hint(`${ranSentence}, and ${failedCount} failed.`);
	else if (people < requests.length)
		first.hint(
			`${ranSentence}: ${people === 1 ? '1 person was' : `${people} people were`} asked ${requests.length} times in all.`,
		);
	else first.hint(`${ranSentence}: ${people} people were asked.`);
}

/** Returns one entry for each request of an item: the item itself, or its decisions if several people decided. */
const requestsIn = (item: IDataObject): IDataObject[] =>
	Array.isArray(item.decisions) ? item.decisions.filter(isRecord) : [item];

import { BadInput } from '../../../engine/errors';
import { shorten } from '../../../engine/values/convert';
import { textOf } from '../../form/readForm';
import type { SyncPlan } from './types';

const LIMIT = /^(\d+(?:\.\d+)?)\s*(%?)$/;

/** The largest number of changes that a run may make. */
export interface ChangeLimit {
	number: number;
	/**
	 * Whether the number is a percentage of the contacts in the list. A percentage does not limit changes to an empty list.
	 */
	isPercent: boolean;
}

/** Limits if the option is not set: a run must not remove more contacts than the larger of the two. */
const DEFAULT_REMOVALS: ChangeLimit[] = [
	{ number: 5, isPercent: false },
	{ number: 10, isPercent: true },
];

/** Reads a limit: a number of contacts such as 25, or a percentage of the list such as 10%. */
export function readChangeLimit(raw: unknown, label: string): ChangeLimit {
	const [, number, percent] = LIMIT.exec(textOf(raw, label).trim()) ?? [];
	const limit = { number: Number(number), isPercent: percent === '%' };
	if (number !== undefined && (limit.isPercent || Number.isSafeInteger(limit.number))) return limit;
	throw new BadInput(
		`'${label}' must be a number or a percentage, not "${shorten(raw)}"`,
		`Use a number of contacts such as 25, or a percentage of the list such as 10%.`,
	);
}

export interface ChangeLimits {
	removals?: ChangeLimit;
	changes?: ChangeLimit;
}

/** Returns why a plan must not be applied; undefined if it may be. `listSize` is the number of contacts in the list. */
export function findExceededLimit(
	plan: SyncPlan,
	listSize: number,
	{ removals, changes }: ChangeLimits,
): string | undefined {
	const removalCount = plan.unmatched.filter(({ change }) => change === 'removed').length;
	const changedRows = plan.rows.filter(
		({ change }) => change === 'created' || change === 'updated',
	);
	const largestOf = (limits: ChangeLimit[]) =>
		Math.max(
			...limits.map(({ number, isPercent }) => (isPercent ? (number * listSize) / 100 : number)),
		);
	if (removalCount > largestOf(removals ? [removals] : DEFAULT_REMOVALS)) {
		const limit = removals ? describe(removals) : 'the larger of 5 contacts and 10%';
		return `${removalCount} of ${contacts(listSize)} would be removed, more than ${limit}`;
	}
	const isShareOfNothing = changes?.isPercent === true && listSize === 0;
	if (changes && !isShareOfNothing && changedRows.length > largestOf([changes])) {
		return `${contacts(changedRows.length)} would be added or changed, more than ${describe(changes)}`;
	}
	return undefined;
}

const contacts = (count: number) => `${count} ${count === 1 ? 'contact' : 'contacts'}`;

const describe = ({ number, isPercent }: ChangeLimit) => `${number}${isPercent ? '%' : ''}`;

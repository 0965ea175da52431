import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../../../engine/errors';
import type { ApprovalPolicy } from '../../../engine/quorum/types';
import { shorten } from '../../../engine/values/convert';
import { isRecord } from '../../../engine/values/isRecord';
import type { People } from '../../people';
import { SEPARATORS } from './personIds';

/** The fields of a level that hold people, with their labels. */
const LISTS = { people: 'People', deputies: 'Deputies' } as const;

/**
 * Replaces names by the User IDs that the credential has for them. Only in texts that the author of the workflow entered:
 * `entered` has the levels with their expressions not evaluated. What an expression returns may come from the input or from an
 * agent, who must choose no one through the credential.
 */
export function withIdsForNames(levels: unknown, entered: unknown, people: People): unknown {
	const rows = rowsOf(levels);
	const enteredRows = rowsOf(entered);
	if (!rows || !enteredRows) return levels;
	return {
		level: rows.map((row, index) => {
			const changes = Object.entries(LISTS).flatMap(([field, label]) => {
				const text = enteredRows[index]?.[field];
				return typeof text === 'string' && !text.startsWith('=')
					? [[field, toIds(text, `${label} of a level`, people)]]
					: [];
			});
			return { ...row, ...Object.fromEntries(changes) };
		}),
	};
}

function rowsOf(levels: unknown): IDataObject[] | undefined {
	const rows: unknown[] = isRecord(levels) ? [levels.level ?? []].flat() : [];
	return rows.length > 0 && rows.every(isRecord) ? rows : undefined;
}

/** Returns the entries of a text with User IDs in place of names. Other entries are left to the check of User IDs. */
const toIds = (text: string, label: string, people: People): string =>
	text
		.split(SEPARATORS)
		.map((entry) => (/[^\d\s]/.test(entry) ? toId(entry.trim(), label, people) : entry))
		.join(',');

function toId(name: string, label: string, { all, idOf, problem }: People): string {
	const id = idOf(name);
	if (id !== undefined) return id;
	const names = all.map((person) => person.name).join(', ');
	const advice =
		problem !== undefined
			? `${problem}.`
			: names === ''
				? "The credential names no people: enter User IDs, or fill in 'People' there."
				: `Check the spelling. The credential names ${names}.`;
	throw new BadInput(
		`'${label}' has "${shorten(name)}", which is neither a User ID nor a name in 'People' of the credential`,
		`${advice} Nothing was sent.`,
	);
}

/** Returns the names that the credential has for the people of a policy and for the requester. */
export function namesOf(
	{ levels }: ApprovalPolicy,
	requester: string | undefined,
	{ nameOf }: People,
): Record<string, string> {
	const ids = levels.flatMap((level) => [...level.people, ...level.deputies]);
	const named = [...ids, ...(requester === undefined ? [] : [requester])].flatMap((id) => {
		const name = nameOf(id);
		return name === undefined ? [] : [[id, name]];
	});
	return Object.fromEntries(named);
}

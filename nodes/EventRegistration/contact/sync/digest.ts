import { BadInput } from '../../../engine/errors';
import { sha256 } from '../../../engine/values/sha256';
import type { SyncPlan, SyncScope } from './types';

/** Base64url characters of the digest: 192 bits. */
const DIGEST_LENGTH = 32;
const PLAN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\w-]{32})$/;

/** The list that a plan is for. */
export interface PlanTarget {
	baseUrl: string;
	listId: string;
}

/**
 * The parts of a plan's text: the service's time when the list was read, and the digest of everything that would be written.
 */
export interface PlanId {
	asOf: number;
	digest: string;
}

/**
 * Returns the digest of everything that a plan writes and where. The order of rows, contacts and fields does not matter. A
 * removal counts with all mapped fields of the contact, because not every service dates its changes.
 */
export function digestOf(
	{ baseUrl, listId }: PlanTarget,
	{ matchBy, fields }: SyncScope,
	plan: SyncPlan,
): string {
	const lines: unknown[][] = [];
	for (const planned of plan.rows) {
		if (planned.change === 'created') {
			const values = planned.changes.filter(({ field }) => field !== matchBy);
			lines.push([
				'created',
				planned.row.key,
				sortedTexts(values.map(({ field, to }) => [field, to])),
			]);
		} else if (planned.change === 'updated') {
			const changes = planned.changes.map(({ field, from, to }) => [field, from, to]);
			lines.push(['updated', `${planned.contact.id}`, sortedTexts(changes)]);
		}
	}
	for (const { change, contact } of plan.unmatched) {
		if (change !== 'removed') continue;
		const values = fields.map(({ name }, at) => [name, contact.values[at] ?? '']);
		lines.push(['removed', `${contact.id}`, contact.key, sortedTexts(values)]);
	}
	const names = fields.map(({ name }) => name).sort();
	const scope = JSON.stringify([baseUrl, listId, matchBy, names]);
	const actions = lines.map((line) => JSON.stringify(line)).sort();
	return sha256([scope, ...actions].join('\n')).slice(0, DIGEST_LENGTH);
}

/**
 * Trims and sorts texts. Rows that differ only in surrounding white space are duplicates, and either of them may be the one
 * that is written.
 */
const sortedTexts = (parts: string[][]): string[] =>
	parts.map((texts) => JSON.stringify(texts.map((text) => text.trim()))).sort();

export const planText = ({ asOf, digest }: PlanId): string =>
	`${new Date(asOf).toISOString()}_${digest}`;

/** Reads the text of a plan. Throws BadInput for any other text. */
export function readPlanText(text: string): PlanId {
	const [, time = '', digest] = PLAN.exec(text.trim()) ?? [];
	const asOf = Date.parse(time);
	if (digest !== undefined && !Number.isNaN(asOf)) return { asOf, digest };
	throw new BadInput(
		"'Expected Plan' is not a plan",
		"Use the field 'plan' of the output of a preview, for example {{ $('Preview').first().json.plan }}.",
	);
}

import { BadInput } from '../../../engine/errors';
import type { ApprovalLevel, ApprovalPolicy } from '../../../engine/quorum/types';
import { integerReader, numberReader } from '../../../engine/values/convert';
import { isRecord } from '../../../engine/values/isRecord';
import { isBlank, readText } from '../../../engine/values/texts';
import { readPeople } from './personIds';
import type { Person } from './personIds';
import { rejectImitatedName } from './rows';

const MAX_PEOPLE = 10;
const NOTHING_SENT = 'Nothing was sent.';
const MS_PER_UNIT: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
};

/** Values of the fields, as n8n evaluated them for one item. */
export interface PolicyInput {
	/** The list 'Levels': an object with the rows in `level`. */
	levels: unknown;
	oneDenialEnds: boolean;
	/** User ID of the requester, who must not decide. */
	requester?: string;
	remindAfterMs?: number;
	expiresAfterMs: number;
	/** 'Limit Wait Time'; absent without a limit. */
	limitMs?: number;
	neverExpires: boolean;
}

/** Who decides about one item, and the names of the people, by User ID, as far as they are known. */
export interface ResolvedPolicy {
	policy: ApprovalPolicy;
	names: Record<string, string>;
}

/**
 * Resolves who decides about an item. Throws BadInput for anything that could leave the item undecidable, or decided by fewer
 * people than the user thinks. Call it before anything is sent.
 */
export function resolvePolicy(values: PolicyInput, now: number): ResolvedPolicy {
	const { oneDenialEnds, requester, remindAfterMs, expiresAfterMs, limitMs } = values;
	if (values.neverExpires) {
		throw new BadInput(
			"'Never Expires' can't be used with 'Several People'",
			`Remove the option 'Never Expires': every question needs an end. Set 'Expires After' instead. ${NOTHING_SENT}`,
		);
	}
	const rows = readLevelRows(values.levels);
	if (rows.length === 0) {
		throw new BadInput(
			"'Levels' is empty, so no one would be asked",
			`Add a level with the people to ask. ${NOTHING_SENT}`,
		);
	}
	const limits = { expiresAfterMs, limitMs };
	const resolved = rows
		.map((row, index) => ({ row, label: labelOf(row, index) }))
		// Only the boolean skips a level. An expression with a misspelt field gives no boolean, and its level must be asked.
		.filter(({ row }) => row.skipIf !== true)
		.map(({ row, label }) => resolveLevel(row, label, requester, limits));
	if (resolved.length === 0) {
		throw new BadInput(
			'No level applies to this item, so no one would be asked',
			`'Skip If' is true for every level. Leave one level without it, or filter such items out before this node. ${NOTHING_SENT}`,
		);
	}
	rejectRepeated(resolved.map(({ level }) => level));
	if (remindAfterMs !== undefined) rejectLateTime('Remind After', remindAfterMs, limits);
	const levels = resolved.map(({ level }) => level);
	const limitAt = limitMs === undefined ? undefined : now + limitMs;
	return {
		policy: { levels, oneDenialEnds, expiresAfterMs, limitAt, remindAfterMs },
		names: Object.fromEntries(
			resolved.flatMap(({ people }) =>
				people.flatMap(({ id, name }) => (name ? [[id, name]] : [])),
			),
		),
	};
}

type LevelRow = Record<string, unknown>;
type Limits = Pick<PolicyInput, 'expiresAfterMs' | 'limitMs'>;

function readLevelRows(raw: unknown): LevelRow[] {
	const rows: unknown[] = isRecord(raw) ? [raw.level ?? []].flat() : [];
	if (rows.every(isRecord)) return rows;
	throw new BadInput(
		"'Levels' has an entry that is not a level",
		`If an expression gives the levels, each must be an object with the fields of a level, such as people. ${NOTHING_SENT}`,
	);
}

/** Returns the name of a level: the position in the list if it has none. */
const labelOf = ({ name }: LevelRow, index: number): string =>
	(readText(name, 'Levels: Name') ?? '').replace(/\s+/g, ' ').trim() || `Level ${index + 1}`;

function resolveLevel(
	row: LevelRow,
	name: string,
	requester: string | undefined,
	limits: Limits,
): { level: ApprovalLevel; people: Person[] } {
	rejectImitatedName(name);
	const read = (field: 'People' | 'Deputies', raw: unknown) => {
		const people = readPeople(`${name}: ${field}`, raw);
		if (people.length <= MAX_PEOPLE) return people.filter(({ id }) => id !== requester);
		throw new BadInput(
			`'${name}: ${field}' has ${people.length} User IDs`,
			`A level can have up to ${MAX_PEOPLE}. Split it into several levels, or remove some. ${NOTHING_SENT}`,
		);
	};
	if (isBlank(row.people)) {
		throw new BadInput(
			`'${name}: People' is empty`,
			`Enter the User IDs of the people to ask, or remove this level. If an expression gives them, it found none. ${NOTHING_SENT}`,
		);
	}
	const people = read('People', row.people);
	if (people.length === 0) {
		throw new BadInput(
			`'${name}' has no one left to ask`,
			`Its only person is the requester, who must not decide, or its list is empty. Add another person to 'People'. ${NOTHING_SENT}`,
		);
	}
	const deputies = read('Deputies', row.deputies);
	const deputiesAfterMs = deputies.length > 0 ? readDeputiesAfter(row, name, limits) : undefined;
	const level: ApprovalLevel = {
		name,
		people: people.map(({ id }) => id),
		needed: readNeeded(row, name, people.length),
		deputies: deputies.map(({ id }) => id),
		...(deputiesAfterMs !== undefined && { deputiesAfterMs }),
	};
	return { level, people: [...people, ...deputies] };
}

function readNeeded({ needed = 'all', neededNumber }: LevelRow, name: string, people: number) {
	if (needed === 'all') return people;
	if (needed === 'any') return 1;
	const label = `${name}: Approvals Needed`;
	if (needed !== 'number') {
		throw new BadInput(
			`'${label}' is not known`,
			`Choose 'All of Them', 'Any One' or 'A Number'. An expression must give all, any or number. ${NOTHING_SENT}`,
		);
	}
	const count = integerReader(label)(neededNumber);
	if (count < 1) {
		throw new BadInput(`'${label}' must be at least 1`, `Check '${label}'. ${NOTHING_SENT}`);
	}
	if (count <= people) return count;
	throw new BadInput(
		`'${label}' is ${count}, but ${people === 1 ? 'only one person is' : `only ${people} people are`} left to ask`,
		`Lower the number, or add people. The requester doesn't count, and deputies don't either. ${NOTHING_SENT}`,
	);
}

function readDeputiesAfter(
	{ deputiesAfter, deputiesAfterUnit }: LevelRow,
	name: string,
	limits: Limits,
): number {
	const label = `${name}: Ask Deputies After`;
	if (isBlank(deputiesAfter)) throw missingTime(label);
	const ms = toMs(label, deputiesAfter, deputiesAfterUnit ?? 'minutes');
	rejectLateTime(label, ms, limits);
	return ms;
}

/** Reads an amount and a unit (minutes, hours, days) as milliseconds. Throws BadInput unless the time is longer than 0. */
export function toMs(label: string, amount: unknown, unit: unknown): number {
	const ms = numberReader(label)(amount) * (MS_PER_UNIT[`${unit}`] ?? Number.NaN);
	if (ms > 0) return ms;
	throw missingTime(label);
}

const missingTime = (label: string) =>
	new BadInput(
		`'${label}' must be longer than 0`,
		`Enter a number above 0 and a unit (minutes, hours or days) in '${label}'. ${NOTHING_SENT}`,
	);

/** Throws if a configured time would be reached only after the question has ended. */
function rejectLateTime(label: string, ms: number, { expiresAfterMs, limitMs }: Limits): void {
	const ends = [
		{ end: 'Expires After', endMs: expiresAfterMs },
		{ end: 'Limit Wait Time', endMs: limitMs ?? Infinity },
	];
	const earlierEnd = ends.find(({ endMs }) => ms >= endMs);
	if (!earlierEnd) return;
	throw new BadInput(
		`'${label}' must be shorter than '${earlierEnd.end}'`,
		`Shorten '${label}', or set a longer '${earlierEnd.end}' in the options. Without the option, 'Expires After' is one day. ${NOTHING_SENT}`,
	);
}

/** Throws if a person is in two levels, or twice in one: one person would have two votes. */
function rejectRepeated(levels: ApprovalLevel[]): void {
	const levelByPerson = new Map<string, string>();
	for (const { name, people, deputies } of levels) {
		for (const id of [...people, ...deputies]) {
			const other = levelByPerson.get(id);
			if (other !== undefined) {
				throw new BadInput(
					`User ID ${id} is ${other === name ? `twice in '${name}'` : `in '${other}' and in '${name}'`}`,
					`Each person can decide once: remove the User ID from one of the lists. Deputies count, too. ${NOTHING_SENT}`,
				);
			}
			levelByPerson.set(id, name);
		}
	}
}

import type { IDataObject } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../errors';
import { SharedReads } from '../sharedReads';
import { shorten } from '../values/convert';
import { addToGroup } from '../values/groupBy';
import { normalizeName } from '../values/normalize';
import type { Client } from './client';
import { readRecords } from './pages';
import type { Paging } from './pages';
import { fillPath } from './path';
import type { PathSegment } from './path';
import { idOf } from './records';
import { strictReading } from './strictReading';

/** A service's list whose records the user can specify by name. */
export interface NamedList {
	/** Singular and plural, for messages. */
	nouns: readonly [one: string, many: string];
	/** Path template of the list. Its only placeholder is the owner's field. */
	path: string;
	/** The record that the list belongs to: the name of its field, and a function that reads its ID. */
	owner?: { field: string; read: (raw: unknown) => PathSegment };
	paging: Paging;
	/** Returns the name of a record; blank if it has none. */
	nameOf: (record: IDataObject) => string;
	/** Returns how pick lists show a record, such as its name with a date. Labels distinguish records of the same name. */
	labelOf?: (record: IDataObject) => string;
}

/** Maximum number of names or IDs that an error lists. */
const MAX_LISTED = 20;

interface NamedRecord {
	id: string;
	name: string;
	label: string;
}

/**
 * Finds IDs of records by name. Reads each list once, to its end, and keeps the list or the failure to read it. An instance
 * lasts for one execution.
 */
export class NameResolver {
	private readonly directories = new SharedReads<Directory>({ keepsFailures: true });

	/**
	 * Returns the ID of the record with a name, or with a label if no record has that name. Throws BadInput if no record
	 * matches or several do. `owner` is the ID of the record that the list belongs to.
	 */
	async find(client: Client, list: NamedList, name: string, owner?: PathSegment): Promise<string> {
		const params = list.owner && owner !== undefined ? { [list.owner.field]: owner } : {};
		const directory = await this.directories
			.get(this, fillPath(list.path, params), async () => await readDirectory(client, list, params))
			.catch((error: unknown) => {
				throw lookupFailure(error, list, name);
			});
		return directory.idOf(name);
	}
}

/** Reads a list strictly. A name that an incomplete list lacks may exist, and a name that it has once may exist twice. */
async function readDirectory(
	client: Client,
	list: NamedList,
	params: Record<string, PathSegment>,
): Promise<Directory> {
	const { path, paging, nouns } = list;
	const { name: serviceName } = client.connection.service;
	const request = { method: 'GET', path, params, idempotent: true } as const;
	const warn = () => {
		throw new ServiceFailure(`the ${serviceName} did not return the complete list of ${nouns[1]}`);
	};
	const records = await readRecords(client, ...strictReading(request, { paging, warn }));
	return new Directory(list, records);
}

/** The records of a list by name. */
class Directory {
	private readonly byName = new Map<string, NamedRecord[]>();
	private readonly byLabel = new Map<string, NamedRecord[]>();
	/** All names, and for each word up to MAX_LISTED names that contain it. Built when the first name is not found. */
	private suggested?: { names: string[]; byWord: Map<string, string[]> };

	constructor(
		private readonly list: NamedList,
		records: IDataObject[],
	) {
		for (const record of records) {
			const name = list.nameOf(record).trim();
			const key = normalizeName(name);
			if (key === '') continue;
			const label = list.labelOf?.(record) ?? name;
			const entry = { id: `${idOf(record, list.paging)}`, name, label };
			addToGroup(this.byName, key, entry);
			addToGroup(this.byLabel, normalizeName(label), entry);
		}
	}

	idOf(name: string): string {
		const key = normalizeName(name);
		const [match, ...others] = this.byName.get(key) ?? this.byLabel.get(key) ?? [];
		if (!match) throw this.notFound(name, key);
		if (others.length > 0) throw this.ambiguous(name, [match, ...others]);
		return match.id;
	}

	private notFound(name: string, key: string): BadInput {
		const [one, many] = this.list.nouns;
		const message = `No ${one} is named "${shorten(name)}"`;
		if (this.byName.size === 0) {
			return new BadInput(
				message,
				`There are no ${many} yet, or this key can't see them. Create one in the service, or check the key in the credential.`,
			);
		}
		const byNumber = /^\d+$/.test(key) ? ` To use the ID of the ${one}, switch to By ID.` : '';
		return new BadInput(
			message,
			`These ${many} exist: ${this.suggestions(key)}. Use one of these names, or choose the ${one} from the list.${byNumber}`,
		);
	}

	private ambiguous(name: string, matches: NamedRecord[]): BadInput {
		const [one, many] = this.list.nouns;
		const matchList = listing(
			matches.map(({ id, label }) => `"${shorten(label)}" with the ID ${id}`),
		);
		const labels = new Set(matches.map(({ label }) => normalizeName(label)));
		const advice =
			labels.size === matches.length
				? `Choose the ${one} that you want from the list, or write one of these names in full`
				: `Switch to By ID and enter the ID of the ${one} that you want`;
		return new BadInput(
			`${matches.length} ${many} are named "${shorten(name)}"`,
			`${advice}: ${matchList}.`,
		);
	}

	/** Returns the names to choose from: first those that share a word with the given name. */
	private suggestions(key: string): string {
		const { names, byWord } = (this.suggested ??= indexWords(
			[...this.byName.values()].map(([first]) => first!.name),
		));
		const similar = key.split(' ').flatMap((word) => byWord.get(word) ?? []);
		const namesToList = new Set([...similar, ...names.slice(0, MAX_LISTED)]);
		return listing([...namesToList].map(shorten), names.length);
	}
}

function indexWords(names: string[]): { names: string[]; byWord: Map<string, string[]> } {
	const byWord = new Map<string, string[]>();
	for (const name of names) {
		for (const word of new Set(normalizeName(name).split(' '))) {
			if ((byWord.get(word)?.length ?? 0) < MAX_LISTED) addToGroup(byWord, word, name);
		}
	}
	return { names, byWord };
}

/** Joins texts for a message, up to MAX_LISTED. `total` is the number of all texts, if `texts` has only some of them. */
function listing(texts: string[], total = texts.length): string {
	const head = texts.slice(0, MAX_LISTED);
	const restCount = total - head.length;
	return `${head.join(', ')}${restCount > 0 ? ` and ${restCount.toLocaleString('en-US')} more` : ''}`;
}

/** Names the record in the failure of a lookup, because the user did not request the list that could not be read. */
function lookupFailure(error: unknown, { nouns: [one] }: NamedList, name: string): unknown {
	if (!(error instanceof ServiceFailure)) return error;
	const { message, advice = '' } = error;
	return error.with({
		message: `Couldn't look up the ${one} "${shorten(name)}": ${message}`,
		advice: `${advice} You can also choose the ${one} from the list, or switch to By ID.`.trim(),
	});
}

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import type { Connection } from '../engine/http/client';
import { escapeInvisible } from '../engine/review/displayText';
import { shorten } from '../engine/values/convert';
import { normalizeName } from '../engine/values/normalize';

const LINE = /^(.*\S)\s*[,;\t]\s*([1-9]\d{0,19})$/;
const MAX_NAME_LENGTH = 100;

interface NamedPerson {
	name: string;
	id: string;
}

/** The people whom a credential names. The service has no list of its users. */
export interface People {
	readonly all: readonly NamedPerson[];
	/** What is wrong with the first invalid line. That line and all later ones name no one. */
	readonly problem?: string;
	/** Returns the name of a User ID, if the credential has one. */
	nameOf(id: unknown): string | undefined;
	/** Returns the User ID of a name. Case, accents and repeated spaces do not matter. */
	idOf(name: string): string | undefined;
}

/** Reads the field 'People': one person per line, name and User ID. */
export function readPeopleOf({ people }: ICredentialDataDecryptedObject): People {
	const idsByName = new Map<string, string>();
	const namesById = new Map<string, string>();
	let problem: string | undefined;
	for (const [index, line] of (typeof people === 'string' ? people : '').split('\n').entries()) {
		if (line.trim() === '') continue;
		const result = readLine(line.trim(), idsByName, namesById);
		if (typeof result === 'string') {
			problem = `Line ${index + 1} of 'People' in the credential can't be used: ${result}`;
			break;
		}
		idsByName.set(normalizeName(result.name), result.id);
		namesById.set(result.id, result.name);
	}
	return {
		all: [...namesById].map(([id, name]) => ({ id, name })),
		problem,
		nameOf: (id) => namesById.get(`${id}`),
		idOf: (name) => idsByName.get(normalizeName(name)),
	};
}

type Names = ReadonlyMap<string, string>;

/** Returns the person in a line, or why the line is not valid. */
function readLine(line: string, idsByName: Names, namesById: Names): NamedPerson | string {
	const [, name, id] = LINE.exec(line) ?? [];
	if (name === undefined || id === undefined)
		return `"${shorten(escapeInvisible(line))}" is not a name, a comma and a User ID`;
	// Names are entered in lists separated by commas, beside User IDs. The phone and the editor must show them as they are.
	const isUnclear = /^\d+$|[,;]/.test(name) || escapeInvisible(name) !== name;
	if (isUnclear || normalizeName(name) === '' || [...name].length > MAX_NAME_LENGTH)
		return `"${shorten(escapeInvisible(name))}" is not a name of up to ${MAX_NAME_LENGTH} visible characters without commas`;
	if (idsByName.has(normalizeName(name))) return `the name "${name}" is in an earlier line, too`;
	if (namesById.has(id)) return `the User ID ${id} is in an earlier line, too`;
	return { name, id };
}

const ADVICE =
	"Write one person per line in 'People': name, comma, User ID, for example Morgan Ellery, 100003.";

/** Throws if a line of 'People' is not valid. */
export function requireValidPeople(credential: ICredentialDataDecryptedObject): People {
	const people = readPeopleOf(credential);
	if (people.problem !== undefined) throw new BadInput(people.problem, ADVICE);
	return people;
}

const peopleByConnection = new WeakMap<Connection, People>();

/** Returns the people whom the credential of a connection names. */
export function peopleOf(connection: Connection): People {
	const known = peopleByConnection.get(connection) ?? readPeopleOf(connection.credential);
	peopleByConnection.set(connection, known);
	return known;
}

/** Returns a user for messages: "Morgan Ellery (100003)", or "User 100003" without a name. */
export function describeUser(connection: Connection, id: string): string {
	const name = peopleOf(connection).nameOf(id);
	return name === undefined ? `User ${id}` : `${name} (${id})`;
}

import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import type { Client, Connection } from '../../engine/http/client';
import type { Request } from '../../engine/http/types';
import { shorten } from '../../engine/values/convert';
import { isRecord } from '../../engine/values/isRecord';
import { plainText } from '../../engine/values/texts';
import { unwrapObject, valuesNamed } from '../responses';

/** The question as it was sent. Parked executions store it as JSON. */
export interface SentQuestion {
	message?: string;
	details?: IDataObject;
}

/** Returns the question in the body of a request. */
export const toSentQuestion = (body: unknown): SentQuestion => {
	const { message, details } = isRecord(body) ? body : {};
	return {
		...(typeof message === 'string' && { message }),
		...(isRecord(details) && { details }),
	};
};

/**
 * Returns why the approval in a record does not count: it belongs to another application, or to another question than the one
 * that was sent. Undefined if it counts. Members that the record lacks are not compared.
 */
export async function findMismatch(
	approval: IDataObject,
	sent: SentQuestion | undefined,
	client: Client,
): Promise<string | undefined> {
	const difference = sent && findDifference(approval, sent);
	if (difference !== undefined) {
		return `The approval doesn't count: at the two-factor service, the request has ${difference} than the one that was sent`;
	}
	return (await isOfAnotherApplication(approval, client))
		? "The approval doesn't count: the request belongs to another application at the two-factor service"
		: undefined;
}

/** Returns what differs between a record and the question that was sent, as the start of "… than the one that was sent". */
export function findDifference(
	{ message, details }: IDataObject,
	sent: SentQuestion,
): string | undefined {
	if (typeof message === 'string' && !isSameText(message, sent.message)) return 'another message';
	const rows = toRows(details);
	// An empty object says nothing about the rows: the service may not return them.
	if (rows.size === 0) return undefined;
	const sentRows = toRows(sent.details);
	const names = [...new Set([...rows.keys(), ...sentRows.keys()])];
	const name = names.find((one) => !rows.has(one) || !isSameText(rows.get(one), sentRows.get(one)));
	return name === undefined ? undefined : `other details (${shorten(name)})`;
}

const normalize = (text: string): string => text.normalize('NFC').trim();

/** Services truncate long texts. A shorter beginning without dots may mean something else: "Do" is not "Do not pay". */
const MIN_TRUNCATED_LENGTH = 10;

/**
 * Whether a returned text is the sent text or, if the service truncates texts, its beginning. A beginning that ends within a
 * number is another text: 5 is not 50. A blank text says nothing.
 */
function isSameText(returned: string | undefined, sentText: string | undefined): boolean {
	if (returned === undefined || sentText === undefined) return returned === sentText;
	const whole = normalize(sentText);
	const text = normalize(returned);
	const beginning = text.replace(/(…|\.{3})$/, '');
	if (text === whole || beginning === '') return true;
	const isTruncated = beginning !== text || text.length >= MIN_TRUNCATED_LENGTH;
	const endsWithinNumber =
		/\d[.,'’]?$/.test(beginning) && /^[.,'’\s]?\d/.test(whole.slice(beginning.length));
	return isTruncated && whole.startsWith(beginning) && !endsWithinNumber;
}

const toRows = (details: unknown): Map<string, string> =>
	new Map(
		Object.entries(isRecord(details) ? details : {}).map(([name, value]) => [
			normalize(name),
			plainText(value) ?? JSON.stringify(value),
		]),
	);

/** IDs of the application of each connection; undefined if the service does not state it as a number. */
const applicationIds = new WeakMap<Connection, Promise<string | undefined>>();

/** Reads the application of the API key. */
const APPLICATION_DETAILS: Request = {
	method: 'GET',
	path: '/protected/json/app/details',
	idempotent: true,
};

/**
 * Returns for how many milliseconds the service has asked not to read the application's details; 0 if it has not, or if they
 * are known.
 */
export const applicationPauseMs = (client: Client): number =>
	applicationIds.has(client.connection) ? 0 : client.remainingPauseMs(APPLICATION_DETAILS);

/** Whether a record has the number of another application than that of the API key. Reads the latter once per connection. */
async function isOfAnotherApplication(approval: IDataObject, client: Client): Promise<boolean> {
	const [id] = ['app_serial_id', 'app_id'].flatMap((name) =>
		valuesNamed(approval, name).filter(isNumber),
	);
	if (id === undefined) return false;
	const { connection } = client;
	const ownId = applicationIds.get(connection) ?? readApplicationId(client);
	applicationIds.set(connection, ownId);
	const known = await ownId;
	// After a 429, the next approval reads the details again.
	if (known === undefined && client.remainingPauseMs(APPLICATION_DETAILS) > 0)
		applicationIds.delete(connection);
	return known !== undefined && known !== `${id}`;
}

const isNumber = (value: unknown): value is string | number => /^\d{1,15}$/.test(`${value}`);

async function readApplicationId(client: Client): Promise<string | undefined> {
	const response = await client.send(APPLICATION_DETAILS).catch(ignoreServiceFailure);
	const { app_id: id } = unwrapObject(response?.body, 'app');
	return isNumber(id) ? `${id}` : undefined;
}

/** Without the application's details only the other members are compared: a service may lack this operation. */
function ignoreServiceFailure(error: unknown): undefined {
	if (!(error instanceof ServiceFailure)) throw error;
	return undefined;
}

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import services from '../../../contracts/services.json';
import type { Sandbox } from '../../../sandbox/server';
import type { ServiceName } from '../../../sandbox/service';
import type { Rig } from '../rig';

/** Difference between two states of a service. Each part is keyed by the kind of record, as in `holdings()`. */
export interface Changes {
	/** New records: `{ sessions: [{ id: 'ses_9001', title: 'Opening' }] }`. */
	added?: Record<string, unknown[]>;
	/** IDs of deleted records: `{ sessions: ['ses_3002'] }`. */
	removed?: Record<string, string[]>;
	/** New values by ID: `{ sessions: { ses_3002: { title: 'Opening' } } }`. A deleted field has the value `undefined`. */
	changed?: Record<string, Record<string, Record<string, unknown>>>;
}

/** What an operation that only reads changes. */
export const NOTHING: Changes = {};

/** Parameters that name something that is not there, and what comes of them: words of an error, or an answer. */
export interface Unknown {
	parameters: INodeParameters;
	says: RegExp | IDataObject;
}

/** One operation of the pack, with parameters that succeed in a fresh sandbox. */
export interface Sample {
	/** The node's type name. */
	node: string;
	resource: string;
	operation: string;
	/** What sets it apart from other samples of the same operation. */
	variant?: string;
	/** Puts what it needs into the sandbox, past anything that fails on the way, and gives the parameters. */
	parameters: (rig: Rig) => INodeParameters | Promise<INodeParameters>;
	/** What every item of its output holds: a field, or fields and values. */
	shows: string | IDataObject;
	/** What must be different at the service afterwards, and nothing else may be. Asked before the operation runs. */
	changes: Changes | ((rig: Rig, parameters: INodeParameters) => Changes | Promise<Changes>);
	/** What comes of an id that nothing has, where it takes one. */
	unknown: Unknown | 'takes no id';
	/** The words for what an operation does that is not sent again: `It's unclear whether …`. */
	once?: string;
	/** Whether the service answers anybody, so that no key can be refused. */
	open?: boolean;
	/** Fields that differ from run to run, such as a count of requests. */
	varies?: readonly string[];
	/** What its credential holds besides. */
	credential?: (rig: Rig) => ICredentialDataDecryptedObject;
	/** Whether it waits for somebody, so that bad weather may leave it waiting at the end. */
	waits?: boolean;
	/** What a person does while it runs; called again and again. */
	meanwhile?: (sandbox: Sandbox) => unknown;
}

/** Makes samples of one node. */
export const samplesOf =
	(node: string) =>
	(
		resource: string,
		operation: string,
		shows: Sample['shows'],
		parameters: Sample['parameters'],
		more: Omit<Sample, 'node' | 'resource' | 'operation' | 'shows' | 'parameters'>,
	): Sample => ({ node, resource, operation, shows, parameters, ...more });

/** A sample's name for people. */
export const labelOf = ({ node, resource, operation, variant }: Sample): string =>
	[node, resource, operation, variant].filter(Boolean).join(' ');

/** Asks a service of the sandbox directly, past the nodes and past any proxy. */
export async function ask<T = IDataObject>(
	{ sandbox }: Rig,
	service: ServiceName,
	path: string,
	body?: unknown,
): Promise<T> {
	const { apiKey = '', headerName = 'X-API-Key' } =
		sandbox.credentials[services[service].credential]!;
	const response = await fetch(sandbox.addresses[service] + path, {
		method: body === undefined ? 'GET' : 'POST',
		headers: { [headerName]: apiKey, 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${path} answered ${response.status}`);
	return (await response.json()) as T;
}

/** A resource locator as n8n stores it. */
export const byId = (value: unknown) => ({ __rl: true as const, mode: 'id', value: `${value}` });

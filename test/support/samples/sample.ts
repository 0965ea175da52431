import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import services from '../../../contracts/services.json';
import type { Sandbox } from '../../../sandbox/server';
import type { ServiceName } from '../../../sandbox/service';
import type { Rig } from '../sandboxRig';

/** Difference between two states of a service. Each part is keyed by the kind of record, as in `storedRecords()`. */
export interface Changes {
	/** New records: `{ sessions: [{ id: 'ses_9001', title: 'Opening' }] }`. */
	added?: Record<string, unknown[]>;
	/** IDs of deleted records: `{ sessions: ['ses_3002'] }`. */
	removed?: Record<string, string[]>;
	/** New values by ID: `{ sessions: { ses_3002: { title: 'Opening' } } }`. A deleted field has the value `undefined`. */
	changed?: Record<string, Record<string, Record<string, unknown>>>;
}

/** Changes of an operation that only reads. */
export const NO_CHANGES: Changes = {};

/** Parameters that name a missing record, and the outcome: an error message or an output. */
export interface MissingRecord {
	parameters: INodeParameters;
	expected: RegExp | IDataObject;
}

/** One operation of the pack, with parameters that succeed in a fresh sandbox. */
export interface Sample {
	/** Type name of the node. */
	node: string;
	resource: string;
	operation: string;
	/** Distinguishes the sample from other samples of the same operation. */
	variant?: string;
	/** Creates what the operation needs in the sandbox, bypassing injected faults, and returns the parameters. */
	parameters: (rig: Rig) => INodeParameters | Promise<INodeParameters>;
	/** Contents of every output item: a field name, or fields and values. */
	output: string | IDataObject;
	/** The only changes that the operation may make at the service. A function is called before the operation runs. */
	changes: Changes | ((rig: Rig, parameters: INodeParameters) => Changes | Promise<Changes>);
	/** The outcome for an ID that does not exist, if the operation takes one. */
	missingRecord: MissingRecord | 'takes no id';
	/** Text for an operation that must not be retried, as in `It's unclear whether …`. */
	effect?: string;
	/** Contents of every output item if the answer to a write was lost; missing if that is an error. */
	outputIfResponseLost?: IDataObject;
	/** Whether the service needs no authentication for the operation, so that it cannot reject a key. */
	needsNoKey?: boolean;
	/** Fields that differ from run to run, such as a count of requests. */
	varyingFields?: readonly string[];
	/** Further data of the credential. */
	credential?: (rig: Rig) => ICredentialDataDecryptedObject;
	/** Whether the operation handles all items together, with requests for all of them, and reads some records again. */
	handlesItemsTogether?: boolean;
	/** Whether the operation waits for a person, so that it may still be waiting at the end if faults are injected. */
	waitsForPerson?: boolean;
	/** A person's action while the operation runs; called repeatedly. */
	actMeanwhile?: (sandbox: Sandbox) => unknown;
}

/** Returns a function that creates samples of one node. */
export const samplesOf =
	(node: string) =>
	(
		resource: string,
		operation: string,
		output: Sample['output'],
		parameters: Sample['parameters'],
		details: Omit<Sample, 'node' | 'resource' | 'operation' | 'output' | 'parameters'>,
	): Sample => ({ node, resource, operation, output, parameters, ...details });

/** Returns a readable name of a sample. */
export const labelOf = ({ node, resource, operation, variant }: Sample): string =>
	[node, resource, operation, variant].filter(Boolean).join(' ');

/** Sends a request to a service of the sandbox directly, without the nodes and any proxy. */
export async function sendDirectly<T = IDataObject>(
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

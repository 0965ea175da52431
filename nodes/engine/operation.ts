import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Client } from './http/client';
import type { Paging } from './http/pages';
import type { Answer, Request, Service } from './http/types';

/** Where a field's value goes in the request. `wholeBody` is for bodies that are not objects, such as a bare number. */
export type Place = 'path' | 'query' | 'body' | 'wholeBody' | 'claim';

/** How one field reaches the service. */
export interface Target {
	in: Place;
	/** The service's name for it, when it differs from the field's; a dot reaches into an object of the body. */
	as?: string;
	/**
	 * Turns what the user gave into what the service wants; `undefined` leaves it out. The label is how messages call the
	 * field. Without it a field that holds one text gives a text, and any other what the user gave.
	 */
	value?: (given: unknown, call: Call, label: string) => unknown;
	/** Whether the value is an object of names and values, each of which goes there by its own name. */
	spread?: boolean;
	/** Whether `value` is asked even when the field was left blank, since what to send can come from elsewhere. */
	evenBlank?: boolean;
}

/** A field of an operation: the n8n property that shows it, and where its value goes. */
export type Field = Omit<INodeProperties, 'options'> & {
	target?: Target;
	/** A value that must not appear in errors, such as a one-time code. */
	secret?: boolean;
	options?: Array<INodePropertyOptions | INodePropertyCollection | Field>;
};

/** The request of an operation, as a row of an API table. */
export interface Row {
	method: IHttpRequestMethods;
	/** With the names of path fields in braces, as in the contract. */
	path: string;
	/** `jwt` signs the claim fields and sends the token as the whole body; `json` sends an object even when it is empty. */
	body?: 'json' | 'jwt';
	/** Whether the answer may be a text, such as a token, where JSON is expected otherwise. */
	text?: boolean;
}

/** What one input item comes to: the items it puts out, or why it failed. */
export type Result = { items: IDataObject[] } | { error: unknown };

/** One operation of a service: a row of its API table, and whatever is more than a row. */
export interface Operation {
	/** The name in the Operation list, in title case. */
	name: string;
	/** The name in the node panel, in sentence case. */
	action: string;
	description: string;
	/** Absent on operations that are composed of several requests. */
	request?: Row;
	fields: Field[];
	/** Optional settings of this operation alone; the engine adds those that all share. */
	options?: Field[];
	/** Whether sending it twice does no more than sending it once. Only then is it sent again after a failure of the service. */
	repeatable?: boolean;
	/** What must not happen twice, such as "the message went out": what is not known when the answer is lost. */
	effect?: string;
	/** How the service cuts a long list into pages; gives the operation Return All and Limit. */
	pages?: Paging;
	/** The fields that remain when Simplify is on; the engine offers Simplify where this is given. */
	simplify?: readonly string[];
	/** What is done to every record that comes out, simplified or not, for example to a list of names and values. */
	tidy?: (record: IDataObject) => IDataObject;
	/** Answers other than success that are an expected outcome, not an error. */
	accept?: (answer: Answer) => boolean;
	/** Makes output out of the answer; by default the body as it is. */
	output?: (answer: Answer, call: Call) => Output | Promise<Output>;
	/** The fields of that output and their JSON types, where it is not simply the contract's answer; n8n previews them. */
	yields?: Record<string, 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'>;
	/** Replaces the single request where an item needs several. */
	run?: (call: Call) => Promise<Output>;
	/** Replaces the loop over items where items are handled together. Gives one result per input item. */
	together?: (batch: Batch) => Promise<Result[]>;
	/** Whether it only reads, when method and repeatability do not tell: reads run several at a time. */
	reads?: boolean;
}

/** What an operation puts out for one item. */
export type Output = IDataObject | IDataObject[];

/** The operations that a service offers on one kind of thing. */
export interface Resource {
	name: string;
	description?: string;
	/** By their stable values, which are stored in workflows. */
	operations: Record<string, Operation>;
	/** The value of the operation that is chosen at first. */
	initial: string;
}

/** A service, with everything that its node offers. */
export interface Catalog extends Service {
	resources: Record<string, Resource>;
	/** The value of the resource that is chosen at first. */
	initial: string;
	/** Signs the claims of an operation whose body is a token. */
	sign?: (claims: IDataObject, call: Call) => Promise<string>;
}

/** Everything an operation may need while it handles one item. */
export interface Call {
	readonly context: IExecuteFunctions;
	readonly itemIndex: number;
	readonly service: Catalog;
	readonly operation: Operation;
	/** Sends under the options of this item. */
	readonly client: Client;
	/** The user's time zone, for dates that were typed without one. */
	readonly timezone: string;
	/** The value of a field for this item; of a resource locator, its id; of a field that another one hides, the fallback. */
	field(name: string, fallback?: unknown): unknown;
	/** The value of an optional setting for this item. */
	option(name: string, fallback?: unknown): unknown;
	/** Marks a value as one that no error may show. */
	keepSecret(value: unknown): void;
	/** Everything that no error of this item may show. */
	secrets(): Iterable<string>;
	/** The operation's own row, filled in from its fields. */
	request(): Promise<Request>;
	/** Sends a request by the engine's rules, with this operation's repeatability unless the request says otherwise. */
	send(request: Request): Promise<Answer>;
	/** Shows a note beside the node's output. */
	hint(message: string): void;
}

/** All items of one execution of an operation. */
export interface Batch {
	readonly context: IExecuteFunctions;
	readonly calls: Call[];
	/** Whether one failing item should leave the others alone. */
	readonly continueOnFail: boolean;
	/** Runs something for each item by the engine's rules (some at a time, in order) and catches what each throws. */
	each(run: (call: Call) => Promise<Output>): Promise<Result[]>;
}

/** Whether an operation only reads, so that several items may run at a time. */
export function onlyReads(operation: Operation): boolean {
	if (operation.reads !== undefined) return operation.reads;
	const method = operation.request?.method;
	return operation.repeatable === true && method !== 'PUT' && method !== 'DELETE';
}

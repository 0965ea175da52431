import { OpenAPIBackend } from 'openapi-backend';
import type { Document, Operation } from 'openapi-backend';
import { ValidationContext } from 'openapi-backend/validation';

import { readContract } from '../contracts/read';
import { convertFormValue } from './parseForm';
import type { HandlerResponse } from './service';
import { formats } from './stringFormats';

/** The parts of a request that a contract describes. `path` and `query` are converted in place. */
export interface CheckedRequest {
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	header: Record<string, unknown>;
	/** Parsed JSON; missing if there is no body or it is not JSON. */
	requestBody?: unknown;
	/** The body if it has another media type. */
	text?: { mediaType: string; value: string };
}

interface Violation {
	/** Description such as `body/user/email must be string`. */
	description: string;
	/** Path of the field, such as `user.email`. */
	field: string;
}

/** One operation of a contract; its validators are compiled once. */
export interface ContractOperation {
	operationId: string;
	/** Upper case, such as `GET`. */
	method: string;
	/** The path template, such as `/key/{PK}`. */
	path: string;
	/** Accepted media types of the body; empty if the operation has no body. */
	accepts: string[];
	isBodyRequired: boolean;
	/** Removes properties that the contract does not define from a request: real services ignore them. */
	dropUnknownProperties(request: CheckedRequest): void;
	/** Converts the values of a form to the contract's types where they can be parsed. */
	convertForm(request: CheckedRequest): void;
	/** Returns all violations in a request; converts path and query values to their types. */
	checkRequest(request: CheckedRequest): Violation[];
	/** Returns everything in a response that the contract does not define. */
	checkResponse(response: HandlerResponse): string[];
	/** Whether the contract defines this status. */
	definesStatus(status: number): boolean;
}

interface SchemaError {
	instancePath: string;
	keyword: string;
	message?: string;
	params: Record<string, unknown>;
}

interface ResponseDescription {
	content?: Record<string, { schema?: object }>;
}

const operationsByFile = new Map<string, Promise<ContractOperation[]>>();

/** Reads a contract by its file name or absolute path. Each is read and compiled once per process. */
export function loadContract(file: string): Promise<ContractOperation[]> {
	let operations = operationsByFile.get(file);
	if (!operations) {
		operations = compileContract(file);
		operationsByFile.set(file, operations);
	}
	return operations;
}

async function compileContract(file: string): Promise<ContractOperation[]> {
	const api = new OpenAPIBackend({
		definition: readContract(file) as Document,
		strict: true,
		// Compiles a validator on its first use, so that a test compiles only those of the operations that it calls.
		quick: true,
		coerceTypes: true,
		// The library creates an Ajv for each schema. Each would compile the schema of schemas, which is two thirds of all
		// compiling.
		ajvOpts: {
			strict: false,
			allErrors: true,
			logger: false,
			validateSchema: false,
			formats: { ...formats },
		},
	});
	await api.init();
	return api.getOperations().map((operation) => toContractOperation(api, operation));
}

function toContractOperation(api: OpenAPIBackend, operation: Operation): ContractOperation {
	const { operationId, method, path } = operation;
	if (!operationId) throw new Error(`${method} ${path} has no operationId`);
	const body = operation.requestBody as
		{ content: Record<string, { schema?: object }>; required?: boolean } | undefined;
	const responses = (operation.responses ?? {}) as Record<string, ResponseDescription>;
	const findResponse = (status: number) =>
		responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
	const textValidators = new Map<object, (value: unknown) => SchemaError[]>();

	/** The library validates JSON only; this validates the other media types. */
	const validateText = (schema: object, value: unknown) => {
		let findErrors = textValidators.get(schema);
		if (!findErrors) {
			const validate = api.validator.getAjv(ValidationContext.Response).compile(schema);
			findErrors = (text) => (validate(text) ? [] : [...(validate.errors ?? [])]);
			textValidators.set(schema, findErrors);
		}
		return findErrors(value);
	};

	const validateRequest = (request: CheckedRequest) =>
		api.validator
			.getRequestValidatorsForOperation(operationId)
			.flatMap((validate) => (validate(request) ? [] : ([...validate.errors!] as SchemaError[])));

	return {
		operationId,
		method: method.toUpperCase(),
		path,
		accepts: Object.keys(body?.content ?? {}),
		isBodyRequired: body?.required === true,
		definesStatus: (status) => findResponse(status) !== undefined,
		dropUnknownProperties(request) {
			for (const { keyword, instancePath, params } of validateRequest(request)) {
				if (keyword !== 'additionalProperties') continue;
				const parent = getValue(request, splitPointer(instancePath));
				delete (parent as Record<string, unknown>)[params.additionalProperty as string];
			}
		},
		convertForm(request) {
			// A converted list can contain further texts that need conversion.
			let isChanged = true;
			while (isChanged) {
				isChanged = false;
				for (const { keyword, instancePath, params } of validateRequest(request)) {
					const segments = splitPointer(instancePath);
					if (keyword !== 'type' || segments[0] !== 'requestBody' || segments.length < 2) continue;
					const parent = getValue(request, segments.slice(0, -1)) as Record<string, unknown>;
					const name = segments.at(-1)!;
					const value = convertFormValue(parent[name], [params.type].flat());
					isChanged ||= value !== parent[name];
					parent[name] = value;
				}
			}
		},
		checkRequest(request) {
			const hasBody = 'requestBody' in request;
			const schema = request.text && body?.content[request.text.mediaType]?.schema;
			const textErrors = schema ? validateText(schema, request.text?.value) : [];
			const otherErrors = validateRequest(request).filter(
				(error) => hasBody || error.params.missingProperty !== 'requestBody',
			);
			return [
				...otherErrors.map(toViolation),
				...textErrors.map((error) => ({
					description: `body ${formatMessage(error)}`,
					field: 'body',
				})),
			];
		},
		checkResponse(response) {
			const definition = findResponse(response.status);
			if (!definition) return [`status ${response.status} is not in the contract`];
			if (response.body === undefined) {
				const mayBeEmpty = method === 'head' || !definition.content;
				return mayBeEmpty ? [] : [`status ${response.status} needs a body`];
			}
			const mediaType = getMediaType(response);
			const media = definition.content?.[mediaType];
			if (!media) {
				return [`${mediaType} is not in the contract for status ${response.status}`];
			}
			const errors =
				mediaType === 'application/json'
					? (api.validateResponse(response.body, operation, response.status).errors ?? [])
					: media.schema
						? validateText(media.schema, response.body)
						: [];
			return (errors as SchemaError[]).map((error) => `response${formatPathAndMessage(error)}`);
		},
	};
}

/** Returns the media type of a response. */
export function getMediaType(response: HandlerResponse): string {
	const defaultType = typeof response.body === 'string' ? 'text/plain' : 'application/json';
	return (response.contentType ?? defaultType).split(';')[0]!.trim().toLowerCase();
}

const partNames: Record<string, string> = { requestBody: 'body', path: 'path', query: 'query' };

/** Splits a JSON pointer, the position of an error, into its segments. */
function splitPointer(instancePath: string): string[] {
	const segments = instancePath.split('/').slice(1);
	return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function getValue(request: CheckedRequest, segments: string[]): unknown {
	return segments.reduce<unknown>(
		(value, segment) => (value as Record<string, unknown>)[segment],
		request,
	);
}

function toViolation(error: SchemaError): Violation {
	const segments = error.instancePath.split('/').slice(1);
	const propertyName = error.params.missingProperty ?? error.params.additionalProperty;
	const part = partNames[segments[0] ?? ''] ?? segments[0] ?? '';
	const fieldPath = segments.slice(1);
	if (typeof propertyName === 'string' && segments.length > 0) fieldPath.push(propertyName);
	return {
		description: `${[part, ...segments.slice(1)].join('/')} ${formatMessage(error)}`.trim(),
		field: fieldPath.join('.') || part,
	};
}

function formatPathAndMessage(error: SchemaError): string {
	return `${error.instancePath} ${formatMessage(error)}`;
}

function formatMessage({ keyword, message, params }: SchemaError): string {
	if (keyword === 'additionalProperties') return `must not have '${params.additionalProperty}'`;
	if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
	return message ?? keyword;
}

import { make } from '/common/dom.js';

const pad = (number) => String(number).padStart(2, '0');

/** Formats a time for a date and time input, in the user's time zone. */
function toLocalInputText(text) {
	const date = new Date(text);
	const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
	return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

function createControl(field, id, value) {
	const attributes = {
		id,
		name: field.name,
		'aria-required': field.required ? 'true' : undefined,
		'aria-describedby': `${id}-problem`,
		autocomplete: 'off',
	};
	// A select would lose all choices but one.
	if (field.options && field.type !== 'multiselect') {
		const options = field.options.map((option) =>
			typeof option === 'object' ? option : { value: option, label: option },
		);
		if (!field.required && !field.hasNoEmptyOption) options.unshift({ value: '', label: '–' });
		return make(
			'select',
			attributes,
			...options.map((option) =>
				make(
					'option',
					{ value: String(option.value), selected: String(option.value) === value },
					option.label,
				),
			),
		);
	}
	const element =
		field.type === 'textarea'
			? make('textarea', { ...attributes, rows: '3' })
			: make('input', { ...attributes, type: field.type ?? 'text', ...field.attributes });
	if (field.type === 'checkbox') element.checked = value === 'true';
	else element.value = value;
	return element;
}

const toInputText = (field, value) => {
	if (value === undefined || value === null) return '';
	return field.type === 'datetime-local' ? toLocalInputText(value) : String(value);
};

function readValue(field, element) {
	if (field.type === 'checkbox') return element.checked;
	const text = element.value.trim();
	if (field.type === 'datetime-local') return text && new Date(text).toISOString();
	if (field.isNumber) return text === '' ? undefined : Number(text);
	return text;
}

let formCount = 0;

/**
 * Creates a form of these fields. `onSubmit` receives the values by name; its errors are shown below the field concerned, or
 * else above the button. `update` changes only fields that the user has not edited.
 */
export function createForm({ fields, values = {}, submitLabel, onSubmit, isSecondary = false }) {
	const prefix = `form${++formCount}`;
	const controls = new Map();
	const formError = make('p', { class: 'problem', role: 'alert', hidden: true });
	const rows = fields.map((field, index) => {
		const id = `${prefix}-${index}`;
		const element = createControl(field, id, toInputText(field, values[field.name]));
		element.dataset.initial = element.value;
		const errorElement = make('span', { class: 'problem', id: `${id}-problem`, hidden: true });
		controls.set(field.name, { field, element, errorElement });
		const label = make(
			'label',
			{ for: id },
			field.label,
			field.required && make('span', { class: 'tag' }, 'required'),
		);
		const isBox = field.type === 'checkbox';
		return make('div', { class: isBox ? 'field box' : 'field' }, label, element, errorElement);
	});
	const button = make(
		'button',
		{ class: isSecondary ? 'button' : 'button primary', type: 'submit' },
		submitLabel,
	);
	const form = make('form', { novalidate: true, autocomplete: 'off' }, ...rows, formError, button);

	const clearErrors = () => {
		formError.hidden = true;
		for (const { element, errorElement } of controls.values()) {
			errorElement.hidden = true;
			element.removeAttribute('aria-invalid');
		}
	};
	const showErrors = (error) => {
		let firstInvalid;
		for (const [name, texts] of Object.entries(error.fields ?? {})) {
			const control = controls.get(name);
			if (!control) continue;
			control.errorElement.textContent = texts.join(' ');
			control.errorElement.hidden = false;
			control.element.setAttribute('aria-invalid', 'true');
			firstInvalid ??= control.element;
		}
		if (!firstInvalid) {
			formError.textContent = error.message;
			formError.hidden = false;
		}
		(firstInvalid ?? button).focus();
	};
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		// A second click before the response arrives must not register a person twice.
		if (form.getAttribute('aria-busy') === 'true') return;
		clearErrors();
		form.setAttribute('aria-busy', 'true');
		const entries = [...controls].map(([name, { field, element }]) => [
			name,
			readValue(field, element),
		]);
		try {
			await onSubmit(Object.fromEntries(entries));
			for (const { element } of controls.values()) element.dataset.initial = element.value;
		} catch (error) {
			showErrors(error);
		} finally {
			form.removeAttribute('aria-busy');
		}
	});

	const update = (newValues) => {
		for (const [name, { field, element }] of controls) {
			if (field.type === 'checkbox' || element.value !== element.dataset.initial) continue;
			element.value = toInputText(field, newValues[name]);
			element.dataset.initial = element.value;
		}
	};
	return { form, update };
}

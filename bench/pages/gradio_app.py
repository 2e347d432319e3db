# SPDX-License-Identifier: Apache-2.0
"""A Gradio application with its usual widgets: PORT DIRECTORY"""
import sys

import gradio

with gradio.Blocks(title='Letters') as app:
    gradio.Markdown('# Letters\nWrites a letter from a few words.')
    with gradio.Tab('Write'):
        words = gradio.Textbox(label='Words', placeholder='What it is about')
        tone = gradio.Radio(['Kind', 'Short', 'Formal'], value='Kind',
                            label='Tone')
        gradio.Dropdown(['English', 'French', 'German'], value='English',
                        label='Language')
        gradio.Slider(1, 10, value=3, step=1, label='Paragraphs')
        gradio.CheckboxGroup(['Date', 'Address', 'Subject'], label='With')
        letter = gradio.Textbox(label='Letter', lines=5)
        gradio.Button('Write').click(
            lambda text, way: f'{way}: {text}', [words, tone], letter)
        gradio.Examples([['a late parcel', 'Formal'],
                         ['a birthday', 'Kind']], [words, tone])
    with gradio.Tab('Sent'):
        gradio.Dataframe([[f'Letter {i}', 'sent'] for i in range(12)],
                         headers=['Title', 'State'])

if __name__ == '__main__':
    app.launch(server_name='127.0.0.1', server_port=int(sys.argv[1]),
               quiet=True)

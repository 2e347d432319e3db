# SPDX-License-Identifier: Apache-2.0
"""A Dash application with its usual widgets: PORT DIRECTORY"""
import sys

from dash import Dash, Input, Output, dash_table, dcc, html

TOWNS = ['Berlin', 'Lima', 'Nairobi', 'Oslo', 'Quito', 'Seoul']
app = Dash(__name__)
app.layout = html.Div([
    html.H1('Rain'),
    dcc.Dropdown(TOWNS, 'Lima', id='town'),
    dcc.RadioItems(['Days', 'Weeks'], 'Days'),
    dcc.Checklist(['Totals', 'Means'], ['Means']),
    dcc.Slider(0, 10, 1, value=3, id='years'),
    dcc.Tabs([dcc.Tab(label='Table'), dcc.Tab(label='Notes')]),
    html.P(id='said'),
    dash_table.DataTable(
        [{'Town': town, 'Month': month, 'Rain in mm': 7 * month + len(town)}
         for town in TOWNS for month in range(1, 7)],
        page_size=20, sort_action='native', filter_action='native',
        row_selectable='multi'),
    dcc.Graph(figure={'data': [{'x': TOWNS, 'y': [5, 1, 8, 7, 9, 4],
                                'type': 'bar'}]}),
])


@app.callback(Output('said', 'children'), Input('town', 'value'),
              Input('years', 'value'))
def say(town, years):
    return f'{years} years of {town}'


if __name__ == '__main__':
    app.run(host='127.0.0.1', port=int(sys.argv[1]))
